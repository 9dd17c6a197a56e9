import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Faults that a test injects: a broker that is killed at a fixed point, and a full disk.
struct FaultPointTests {
  private let workplace: Workplace
  private let daemon: Daemon
  private let client: WireClient
  private let session: SessionIdentifier

  private static let before = Activity.filler(1, bytes: 20_000)
  private static let saved = Activity.filler(2, bytes: 20_000)

  init() throws {
    workplace = try Workplace()
    daemon = try Daemon(workplace, ["--faults"])
    client = try daemon.connect()
    try client.initialize()
    session = try client.request(SceneConnect(name: "packing")).session
    try client.callback(.didBecomeActive)
    _ = try client.request(SaveActivity(session: session, activity: Self.before))
  }

  private func fault(_ arguments: String...) throws -> Outcome {
    try daemon.run("scenectl", ["fault"] + arguments)
  }

  /// The activity that the next broker has.
  private func found() throws -> Activity? {
    let again = try Daemon(workplace)
    let reader = try again.connect()
    try reader.initialize(as: .control)
    let shown = try reader.request(SessionShow(session: session))
    #expect(try again.stop().isSuccess)
    return shown.sceneSession.stateRestorationActivity
  }

  @Test(
    "a broker that is killed during a save loses it only if it sent no reply",
    arguments: [
      (FaultPoint.recordAppended, FaultMoment.before), (.recordAppended, .after),
      (.recordSynced, .before), (.recordSynced, .after), (.replySent, .before),
      (.replySent, .after),
    ])
  func save(point: FaultPoint, moment: FaultMoment) throws {
    #expect(try fault("--\(moment)", "\(point)").end == .exited(0))
    // Messages without a record do not reach the point.
    _ = try client.request(Ping())
    #expect(try daemon.run("scenectl", ["is", "packing", "foregroundActive"]).code == 0)
    try client.send(SaveActivity(session: session, activity: Self.saved))
    var isAcknowledged = false
    while let message = try client.next() {
      if case .reply = message { isAcknowledged = true }
    }
    #expect(try daemon.program.reap() == .signalled(.kill))
    #expect(isAcknowledged == (point == .replySent && moment == .after))
    // A kill leaves written data to the system, so each point has one outcome.
    let isKept = point != .recordAppended || moment == .after
    #expect(try found() == (isKept ? Self.saved : Self.before))
  }

  @Test(
    "a delivery reaches the client only if the broker is killed after it",
    arguments: [FaultMoment.before, .after])
  func deliver(moment: FaultMoment) throws {
    #expect(try fault("--\(moment)", "eventDelivered").end == .exited(0))
    _ = try client.request(SaveActivity(session: session, activity: Self.saved))
    try client.send(SceneTransition(session: session, to: .background))
    var callbacks: [CallbackKind] = []
    while let message = try client.next() {
      if case .callback(_, let callback) = message { callbacks.append(callback.kind) }
    }
    #expect(callbacks == (moment == .after ? [.willResignActive] : []))
    #expect(try daemon.program.reap() == .signalled(.kill))
    #expect(try found() == Self.saved)
  }

  @Test("the last fault counts")
  func replaced() throws {
    #expect(try fault("--before", "recordAppended").code == 0)
    #expect(try fault("--after", "replySent").code == 0)
    let saved = try client.request(SaveActivity(session: session, activity: Self.saved))
    #expect(saved.generation == 2)
    #expect(try daemon.program.reap() == .signalled(.kill))
  }

  @Test("a test can fill the disk at once, and free it again")
  func disk() throws {
    #expect(try fault("--disk-full", "on").code == 0)
    let refusal = #expect(throws: BrokerError.self) {
      try client.request(SaveActivity(session: session, activity: Self.saved))
    }
    #expect(refusal?.reason == .storageFull)
    // Requests that need no more space continue.
    try client.send(SceneTransition(session: session, to: .background))
    try client.callback(.stateRestorationActivity)
    #expect(try daemon.run("scenectl", ["is", "application", "storage=full"]).code == 0)
    #expect(try fault("--disk-full", "off").code == 0)
    _ = try client.request(SaveActivity(session: session, activity: Self.saved))
    try daemon.kill()
    #expect(try found() == Self.saved)
  }

  @Test("a broker without fault injection refuses the request")
  func refused() throws {
    let daemon = try Daemon(Workplace())
    let outcome = try daemon.run("scenectl", ["fault", "--before", "replySent"])
    #expect(outcome.code == 77)
    #expect(outcome.errors.contains("--faults"))
    #expect(try daemon.run("scenectl", ["fault"]).code == 2)
    #expect(
      try daemon.run("scenectl", ["fault", "--before", "replySent", "--disk-full", "on"]).code == 2)
  }
}
