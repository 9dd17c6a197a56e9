import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The state at the next broker after a broker was killed with `kill -9`.
struct BrokerCrashTests {
  private let workplace: Workplace
  private let client: WireClient
  private let connected: SceneConnect.Reply
  private let daemon: Daemon

  /// A client with an active scene.
  init() throws {
    workplace = try Workplace()
    daemon = try Daemon(workplace)
    client = try daemon.connect()
    try client.initialize()
    connected = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
  }

  private static let activity = Activity.test(
    #"{"activityType":"com.example.note","userInfo":{"big":9007199254740993,"pi":3.14159265358979323846}}"#
  )

  /// Resumes the scene in another broker.
  private func resume(
    _ broker: Daemon
  ) throws -> (client: WireClient, reply: SceneConnect.Reply) {
    let back = try broker.connect()
    try back.initialize()
    let hold = Resume(state: .foregroundActive, hold: connected.hold)
    return (back, try back.request(SceneConnect(session: connected.session, resume: hold)))
  }

  @Test("the next broker has every acknowledged save, byte for byte, and the holder resumes")
  func resume() throws {
    let saved = try client.request(
      SaveActivity(session: connected.session, activity: Self.activity))
    #expect(saved.generation == 1)
    try daemon.kill()
    #expect(try client.next() == nil)

    let again = try Daemon(workplace)
    let (back, resumed) = try resume(again)
    #expect(resumed.reason == .resume)
    #expect(resumed.hold == connected.hold)
    let shown = try back.request(SessionShow(session: connected.session))
    #expect(shown.sceneSession.stateRestorationActivity == Self.activity)
    #expect(shown.summary.state == .foregroundActive)
    let callbacks = back.history.filter { if case .callback = $0 { true } else { false } }
    #expect(callbacks.isEmpty)
  }

  @Test("a new client does not get a session while its previous holder still runs")
  func kept() throws {
    try daemon.kill()

    let again = try Daemon(workplace)
    let other = try OtherProcess(workplace.socket, asking: #"{"name":"packing"}"#)
    let answer = try other.answer()
    #expect(answer.contains("sessionInUse"))
    #expect(answer.contains("later"))
    #expect(try resume(again).reply.reason == .resume)
  }
}
