import SceneTesting
import Testing

/// What `scene` prints about its session and the next one after a reclaim.
struct ReclaimTests {
  private func identifier(of session: String, _ broker: TestBroker) async throws -> String {
    try await broker.scenectl("show", session, "--value", "session").filter { $0 != "\n" }
  }

  /// A reclaimed scene, and the identifier of its session.
  private func reclaimed(
    _ broker: TestBroker, _ options: String...
  ) async throws -> (scene: TestProcess, session: String) {
    let scene = try await broker.launch("scene", arguments: ["packing"] + options)
    try await scene.line(containing: "didBecomeActive")
    let session = try await identifier(of: "packing", broker)
    try await broker.scenectl("background", "packing")
    try await broker.scenectl("reclaim", "packing")
    try await scene.line(containing: "didDisconnect")
    return (scene, session)
  }

  @Test("a waiting scene reports the discard of its session, and describes the next session")
  func discarded() async throws {
    try await withBroker { broker in
      let (scene, session) = try await reclaimed(broker)
      try await scene.line(containing: "waiting to be activated")
      try await broker.scenectl("discard", "packing")
      #expect(
        try await scene.line(containing: "discarded")
          == "the session (\(session.prefix(8).lowercased())) was discarded; "
          + "waiting for another session (Ctrl-C ends scene)")
      let other = try await broker.client("memo", "--title", "For Rome")
      let next = try await identifier(of: "memo", broker)
      try await other.kill()
      try await broker.scenectl("activate", "memo")
      #expect(
        try await scene.line(containing: "session")
          == "another session: memo (\(next)), Default Configuration, windowApplication, "
          + #""For Rome""#)
      try await scene.line(containing: "willConnect          activation")
      // Reclaimed again, the scene has the same session, which it has described.
      try await broker.scenectl("background", "memo")
      try await broker.scenectl("reclaim", "memo")
      try await broker.scenectl("activate", "memo")
      let shown = try await scene.lines(upTo: "  willConnect          activation")
      #expect(!shown.contains { $0.contains("another session") }, "\(shown)")
    }
  }

  @Test("a waiting scene reports a discard without a broker when the broker is back")
  func discardedOffline() async throws {
    try await withBroker { broker in
      let (scene, session) = try await reclaimed(broker, "--json")
      try await broker.kill()
      try await broker.scenectl("discard", "--offline", "packing")
      try await broker.start()
      try await scene.line(containing: #"{"state":"connected"}"#)
      #expect(
        try await scene.line(containing: "discarded")
          == #"{"state":"idle","session":"\#(session)","reason":"discarded","unknown":true}"#)
      // The process can host other sessions.
      try await broker.scenectl("new", "memo")
      #expect(try await scene.line(containing: "willConnect").contains(#""name":"memo""#))
    }
  }
}
