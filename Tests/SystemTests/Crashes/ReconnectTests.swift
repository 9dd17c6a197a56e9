import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Clients that outlive a killed broker. They reconnect by themselves, and the state in their
/// memory wins.
struct ReconnectTests {
  private let workplace: Workplace
  private let daemon: Daemon

  init() throws {
    workplace = try Workplace()
    daemon = try Daemon(workplace)
  }

  @Test("a save without a reply at the kill of the broker is on disk afterwards")
  func unacknowledged() throws {
    let scene = try daemon.start(
      "scene", ["packing", "--json"], environment: ["SCENE_DEBUG": "wire"])
    try scene.line(containing: "didBecomeActive")
    try scene.type(#"{"do":"activity","activityType":"note","userInfo":{"number":1}}"#)
    try scene.line(containing: #""generation":1"#)
    // From here on, the broker reads no input.
    try daemon.program.send(.stop)
    try scene.type(#"{"do":"activity","activityType":"note","userInfo":{"number":2}}"#)
    try scene.errorLine(containing: #""number":2"#)
    try daemon.kill()
    try scene.line(containing: #""state":"waiting""#)

    let again = try Daemon(workplace)
    // Messages about the connection and about the scene have no fixed order.
    let resumed = #""state":"resumed""#
    var heard = try scene.lines(upTo: #""generation":2"#)
    if !heard.contains(where: { $0.contains(resumed) }) { heard += try scene.lines(upTo: resumed) }
    #expect(!heard.contains { $0.contains("callback") })
    let reader = try again.client(as: .control)
    let shown = try reader.request(SessionShow(name: "packing"))
    #expect(shown.summary.client?.pid == Int64(scene.child.pid))
    #expect(shown.summary.state == .foregroundActive)
    #expect(try shown.sceneSession.stateRestorationActivity?.number("number") == 2)
  }

  @Test("a new client does not get a session while its previous holder still runs")
  func kept() throws {
    let scene = try daemon.scene("packing")
    try scene.send(.stop)
    try daemon.kill()
    let again = try Daemon(workplace)
    let refused = try again.run("scene", ["packing"])
    #expect(refused.code == 75)
    let reserved = "packing is reserved for its previous holder, process \(scene.child.pid)"
    #expect(refused.errors.contains(reserved), "\(refused.errors)")
  }

  @Test("a scene reports that the next broker does not know its session")
  func unknownSession() throws {
    let text = try daemon.start("scene", ["packing"])
    let json = try daemon.start("scene", ["itinerary", "--json"])
    let other = try daemon.start("scene", ["other"])
    for scene in [text, json, other] { try scene.line(containing: "didBecomeActive") }
    // A discard that the broker reports is a normal discard.
    try daemon.scenectl("discard", "other")
    #expect(try other.rest().hasSuffix("the session was discarded\n"))
    try daemon.kill()
    try Directory.removeTree(workplace.state)
    let again = try Daemon(workplace)
    try text.line(containing: "the broker does not know this session: the session was discarded")
    try json.line(containing: #""reason":"discarded","unknown":true}"#)
    #expect(try text.reap() == .exited(0))
    #expect(try json.reap() == .exited(0))
    withExtendedLifetime(again) {}
  }

  @Test("scenes that save all the time outlive several brokers, and lose no save")
  func underLoad() throws {
    var daemon = daemon
    let savers = try (0..<4).map { try SavingScene("s\($0)", daemon) }
    for round in 1...4 {
      try savers.awaitMore(10 * round)
      try daemon.kill()
      let acknowledged = savers.map(\.acknowledged)
      daemon = try Daemon(workplace)
      let reader = try daemon.client(as: .control)
      for (saver, number) in zip(savers, acknowledged) {
        let shown = try reader.request(SessionShow(name: saver.name))
        #expect(shown.summary.generation >= number, "\(saver.name) in round \(round)")
      }
    }
    try savers.awaitMore(10)
    for saver in savers { try saver.stop() }
    let reader = try daemon.client(as: .control)
    for saver in savers {
      let shown = try reader.request(SessionShow(name: saver.name))
      #expect(saver.surprises.isEmpty)
      #expect(shown.summary.client?.pid == Int64(saver.pid))
      // A save that is repeated after a lost reply creates no second generation.
      #expect(shown.summary.generation == saver.acknowledged)
      let activity = try #require(shown.sceneSession.stateRestorationActivity)
      #expect(try activity.number("number") == saver.acknowledged)
      #expect(try connects(of: shown.summary.session, reader) == ["resume"])
    }
  }

  /// The reasons for all connects of a session to this broker.
  private func connects(
    of session: SessionIdentifier, _ client: WireClient
  ) throws -> [String] {
    try client.request(SessionHistory(session: session)).reasons
      .filter { $0.event == .connected }.compactMap(\.reason)
  }
}
