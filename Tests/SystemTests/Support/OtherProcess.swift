import ScenePlatform
import SceneTestSupport

/// A client in its own process, optionally of another user. It sends `initialize` and a connect,
/// and stays.
final class OtherProcess {
  private let program: RunningProgram

  init(_ socket: String, asking params: String, user: UInt32? = nil) throws {
    program = try RunningProgram(
      "python3", ["-c", Self.script, socket, params, "\(user ?? 0)"])
  }

  /// The error of the refusal, or the reply to the connect.
  func answer() throws -> String { try program.line(containing: "{") }

  private static let script = """
    import json, os, socket, struct, sys
    path, params, user = sys.argv[1:]
    if int(user): os.setuid(int(user))
    s = socket.socket(socket.AF_UNIX); s.connect(path)
    def send(i, method, params):
        b = json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": params}).encode()
        s.sendall(struct.pack(">I", len(b)) + b)
    def receive():
        n = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
        return s.recv(n, socket.MSG_WAITALL).decode()
    try:
        send(1, "initialize", {"protocol": {"min": 1, "max": 1}, "client": {"name": "other"}})
        send(2, "scene/connect", json.loads(params))
    except BrokenPipeError: pass
    first = receive()
    print(first if "error" in first else receive(), flush=True)
    sys.stdin.read()
    """
}
