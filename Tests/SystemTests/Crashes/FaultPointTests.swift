import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A broker that dies at a fault point.
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
    try client.save(Self.before, in: session)
  }

  private func fault(_ arguments: String...) throws -> Outcome {
    try daemon.run("scenectl", ["fault"] + arguments)
  }

  /// The activity that the next broker has.
  private func found() throws -> Activity? {
    let again = try Daemon(workplace)
    let reader = try again.client(as: .control)
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
    try daemon.scenectl("is", "packing", "foregroundActive")
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
}
