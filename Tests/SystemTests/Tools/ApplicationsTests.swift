import ScenePlatform
import SceneTestSupport
import Testing

/// `scenectl applications` with the real programs.
struct ApplicationsTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func scenectl(_ words: String...) throws -> Outcome {
    let environment = [
      "HOME": workplace.path, "XDG_RUNTIME_DIR": workplace.path, "XDG_STATE_HOME": "",
      "SCENE_SOCKET": "",
    ]
    return try RunningProgram.run("scenectl", words, environment: environment)
  }

  @Test("each application has a line, also without a broker, and with one that does not answer")
  func lines() throws {
    #expect(try scenectl("applications", "--json").output == "")
    for name in ["gone", "hung", "work"] {
      #expect(try scenectl("--start", "-a", name, "status").code == 0)
    }
    #expect(try scenectl("-a", "gone", "shutdown").code == 0)
    let hung = try #require(
      LockHolder(readFrom: "\(workplace.path)/scened/hung.sock.lock").flatMap {
        ProcessIdentity.of($0.pid)
      })
    _ = try hung.signal(.stop)
    let outcome = try scenectl("applications")
    let json = try scenectl("applications", "--json")
    _ = try hung.signal(.kill)
    #expect(try scenectl("-a", "work", "shutdown").code == 0)
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(outcome.output)\(outcome.errors)")
    #expect(lines[0].hasPrefix("NAME  BROKER           SESSIONS  FOREGROUND  VERSION"))
    #expect(lines[1].hasPrefix("gone  no broker        -         -           -"))
    #expect(lines[2].hasPrefix("hung  does not answer  -         -           -"))
    #expect(lines[3].hasPrefix("work  running          0         0  "))
    #expect(json.output.split(separator: "\n").count == 3)
    #expect(json.output.contains(#"{"name":"hung","broker":"silent","socket":""#))
  }

  @Test("a broker with its own socket is found, also if another process has the usual socket")
  func otherSocket() throws {
    let own = workplace.file("own.sock")
    // Makes the directory of the usual sockets.
    #expect(try scenectl("--start", "-a", "odd", "status").code == 0)
    #expect(try scenectl("-a", "odd", "shutdown").code == 0)
    #expect(try scenectl("--start", "-a", "odd", "-S", own, "status").code == 0)
    // The kernel accepts for a process that never answers.
    let silent = try UnixSocket.listen(at: "\(workplace.path)/scened/odd.sock")
    let json = try scenectl("applications", "--json")
    #expect(json.output.contains(#""name":"odd","broker":"running","socket":"\#(own)""#))
    #expect(try scenectl("-a", "odd", "-S", own, "shutdown").code == 0)
    let silentOnly = try scenectl("applications", "--json").output
    #expect(silentOnly.contains(#""broker":"silent""#) && !silentOnly.contains("sessions"))
    silent.close()
  }

  @Test("an error other than silence is shown with its reason")
  func failure() throws {
    #expect(try scenectl("--start", "-a", "work", "status").code == 0)
    #expect(try scenectl("-a", "work", "shutdown").code == 0)
    let server = try RunningProgram(
      "/usr/bin/env",
      [
        "python3", "-c",
        """
        import socket, sys
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1]); listener.listen(); print("ready", flush=True)
        while True: listener.accept()[0].sendall(b"HTTP/1.1 400 Bad Request\\r\\n\\r\\n")
        """, "\(workplace.path)/scened/work.sock",
      ])
    try server.line(containing: "ready")
    let outcome = try scenectl("applications")
    #expect(outcome.output.contains("work  failed  -"), "\(outcome.output)")
    #expect(outcome.errors.hasPrefix("scenectl: work: the process that listens at "))
    let json = try scenectl("applications", "--json").output
    #expect(json.contains(#""broker":"failed","socket":""#) && json.contains(#""problem":"the "#))
    try server.send(.kill)
  }
}
