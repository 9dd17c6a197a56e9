import JSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// What is there after the broker was killed with -9.
struct BrokerCrashTests {
  private static let activity = Activity.test(
    #"{"activityType":"com.example.note","userInfo":{"big":9007199254740993,"pi":3.14159265358979323846}}"#
  )

  @Test("every acknowledged save is there, byte for byte, and the live holder resumes")
  func resume() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let client = try daemon.connect()
    try client.initialize()
    let connected = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    let saved = try client.request(
      SaveActivity(session: connected.session, activity: Self.activity))
    #expect(saved.generation == 1)
    try daemon.kill()
    #expect(try client.next() == nil)

    let again = try Daemon(workplace)
    let stranger = try again.connect()
    try stranger.initialize()
    // Kept for the process that held it: this one. So even the stranger of the same process may
    // only ask by resuming or naming it.
    let back = try again.connect()
    try back.initialize()
    let resumed = try back.request(
      SceneConnect(
        session: connected.session,
        resume: Resume(state: .foregroundActive, hold: connected.hold)))
    #expect(resumed.reason == .resume)
    #expect(resumed.hold == connected.hold)
    let shown = try back.request(SessionShow(session: connected.session))
    #expect(shown.sceneSession.stateRestorationActivity == Self.activity)
    #expect(shown.summary.state == .foregroundActive)
    let callbacks = back.history.filter { if case .callback = $0 { true } else { false } }
    #expect(callbacks.isEmpty)
  }

  @Test("a session is not given to a new client while its holder of before still runs")
  func kept() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let client = try daemon.connect()
    try client.initialize()
    let connected = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    try daemon.kill()

    let again = try Daemon(workplace)
    let python = try RunningProgram(
      "/usr/bin/env",
      ["python3", "-c", Self.connectByName], environment: ["SCENE_SOCKET": workplace.socket])
    let answer = try python.line(containing: "{")
    #expect(answer.contains("sessionInUse"))
    #expect(answer.contains("later"))
    let back = try again.connect()
    try back.initialize()
    let resumed = try back.request(
      SceneConnect(
        session: connected.session,
        resume: Resume(state: .foregroundActive, hold: connected.hold)))
    #expect(resumed.reason == .resume)
  }

  /// Another process that asks for the session by its name, and prints the answer.
  private static let connectByName = """
    import socket, struct, json, os
    s = socket.socket(socket.AF_UNIX); s.connect(os.environ["SCENE_SOCKET"])
    def send(m):
        b = json.dumps(m).encode(); s.sendall(struct.pack(">I", len(b)) + b)
    def receive():
        n = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
        return json.loads(s.recv(n, socket.MSG_WAITALL))
    send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
          {"protocol": {"min": 1, "max": 1}, "client": {"name": "other", "version": "1"}}})
    send({"jsonrpc": "2.0", "id": 2, "method": "scene/connect", "params": {"name": "packing"}})
    receive()
    print(json.dumps(receive()), flush=True)
    """
}

extension Activity {
  /// An activity as a client would write it.
  static func test(_ text: String) -> Activity {
    guard let json = try? RawJSON(validating: Array(text.utf8), maximumDepth: 48) else {
      preconditionFailure("not JSON: \(text)")
    }
    return Activity(unchecked: json)
  }
}
