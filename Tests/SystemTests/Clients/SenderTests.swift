import SceneClient
import ScenePlatform
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

  /// Whether the kernel tells the exit of processes that are no children.
  private static let knowsExits: Bool = {
    let release = (try? File.read("/proc/sys/kernel/osrelease", limit: 100)) ?? []
    let numbers = String(decoding: release, as: UTF8.self).split(separator: ".")
      .prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && !numbers.lexicographicallyPrecedes([6, 15])
  }()

  @Test(
    "the next scene learns how the process of the last one ended",
    .enabled(if: knowsExits, "needs Linux 6.15"))
  func exit() async throws {
    try await withBroker { broker in
      let client = try await broker.client("packing")
      try await broker.scenectl("kill", "packing")
      #expect(try await client.waitForEnd() == .signalled("KILL"))
      try await broker.scenectl("wait", "packing", "disconnect.exit.signal=KILL")
      try await broker.kill()
      try await broker.start()
      _ = try await broker.client("packing")
      let end = try await broker.scenectl("show", "packing", "--value", "lastEnd.exit.signal")
      #expect(end == "KILL\n")
    }
  }
}
