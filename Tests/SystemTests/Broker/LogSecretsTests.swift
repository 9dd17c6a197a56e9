import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The contents of a daemon's log, which must not reveal activities.
struct LogSecretsTests {
  private static let secret = "hunter2"
  private static let activity = Activity.test(
    #"{"activityType":"hunter2","title":"hunter2","userInfo":{"hunter2":["hunter2",1]}}"#)

  /// Every request with an activity, from a client that sends control characters to the terminal of
  /// the log's reader.
  private func live(_ daemon: Daemon) throws {
    let client = try daemon.connect()
    client.acknowledge = {
      $0.kind == .stateRestorationActivity
        ? StateRestorationAnswer(activity: .value(Self.activity)) : StateRestorationAnswer()
    }
    try client.initialize(name: "red \u{1B}[31m\r\n\u{9B}2J bell \u{7}")
    let scene = try client.request(
      SceneConnect(name: "packing", options: ConnectionOptions(userActivities: [Self.activity])))
    try client.callback(.didBecomeActive)
    try client.save(Self.activity, in: scene.session)
    _ = try client.request(SceneTransition(session: scene.session, to: .background))
    _ = try client.request(Settle())
    for bad in [
      #"{"activityType":"x","userInfo":"hunter2"}"#, #"{"userInfo":{"a":"hunter2"}}"#,
      #"{"activityType":{"hunter2":"hunter2"},"userInfo":{"hunter2":1,"hunter2":2}}"#,
    ] {
      try client.send(
        frame: #"{"jsonrpc":"2.0","id":"bad","method":"session/saveActivity","params":"#
          + #"{"session":"\#(scene.session)","activity":\#(bad)}}"#)
      try client.first { if case .error = $0 { true } else { false } }
    }
    let control = try daemon.client(as: .control)
    var activation = RequestActivation(session: scene.session)
    activation.userActivity = Self.activity
    _ = try control.send(activation)
    try client.callback(.continueUserActivity)
    _ = try client.request(Settle())
    #expect(throws: BrokerError.self) {
      try client.request(
        SaveActivity(
          session: scene.session,
          activity: .test(
            #"{"activityType":"x","userInfo":{"a":"\#(String(repeating: Self.secret, count: 40_000))"}}"#
          )))
    }
    let resuming = try daemon.client()
    var resume = SceneConnect(
      session: scene.session, resume: Resume(state: .foregroundActive, hold: scene.hold))
    resume.activity = Self.activity
    _ = try resuming.request(resume)
    // Half of a secret, and then text that is not JSON.
    try resuming.send(frame: #"{"jsonrpc":"2.0","id":1,"method":"x","params":{"hunter2":hunter2"#)
    try resuming.first { if case .error = $0 { true } else { false } }
  }

  @Test(
    "a log shows no content of an activity, and no control characters",
    arguments: ["error", "warning", "info", "debug"], ["text", "json"])
  func log(level: String, format: String) throws {
    let daemon = try Daemon(Workplace(), ["--log-level", level, "--log-format", format])
    try live(daemon)
    try daemon.program.send(.hangup)
    #expect(try daemon.stop().isSuccess)
    let log = try daemon.program.everythingOnErrors()
    #expect(!log.contains(Self.secret))
    #expect(log.isEmpty == (level == "error" || level == "warning"), "\(log)")
    let controls = log.unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n"
    }
    #expect(controls.isEmpty)
    guard format == "json" else { return }
    let document = JSONDocument()
    for line in log.split(separator: "\n") {
      try document.read(ContiguousArray(line.utf8))
      #expect(document.root["level"]?.string != nil, "\(line)")
      #expect(document.root["time"]?.integer != nil, "\(line)")
    }
  }

  @Test("the line `ready` shows control characters in its path as escapes")
  func ready() throws {
    let workplace = try Workplace()
    let directory = workplace.file("a\u{202E}b")
    try Directory.make(directory)
    let broker = try RunningProgram(
      "scened", ["-S", directory + "/sock", "--state", workplace.state, "--leash-fd", "0"])
    #expect(try broker.line(containing: "ready").contains("/a\\u202eb/sock, 0 sessions"))
  }
}
