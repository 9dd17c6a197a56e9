import SceneClient
import SceneTesting
import Testing

/// `scenectl kill` of a scene that the broker did not start.
struct SenderTests {
  @Test("why and history name the sender of a kill, also when the next broker is asked")
  func kill() async throws {
    try await withBroker { broker in
      let client = try await broker.client("packing")
      try await broker.scenectl("kill", "packing")
      #expect(try await client.waitForEnd() == .signalled("KILL"))
      let why = try await broker.scenectl("why", "packing")
      #expect(why.contains("signalled (KILL) by scenectl "), "\(why)")
      #expect(why.contains("disconnected (connectionLost) by scenectl "), "\(why)")
      let history = try await broker.scenectl("history", "packing")
      #expect(history.contains("connectionLost; KILL was sent by scenectl "), "\(history)")
      try await broker.kill()
      try await broker.start()
      for verb in ["why", "history"] {
        let told = try await broker.scenectl(verb, "packing")
        #expect(told.contains("connectionLost; KILL was sent by scenectl "), "\(told)")
      }
    }
  }
}
