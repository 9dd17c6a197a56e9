import SceneHandoff
import SceneModel
import Testing

private let second: Int64 = 1_000_000_000
private let session = SessionIdentifier(random: 1, 2)

/// Messages that cross each other, and connections that end within a step.
@Suite("Races of the agent of handoff")
struct AgentRaceTests {
  private static func world(seed: UInt64 = 1) -> HostWorld {
    var world = HostWorld(seed: seed, hosts: 2)
    world.run(for: second)
    world.create(session, at: 0)
    world.run(for: second)
    return world
  }

  /// The session is at host 1, and the content of host 0 is a conflict.
  private static func conflict(seed: UInt64 = 1) -> HostWorld {
    var world = world(seed: seed)
    world.cut(0)
    world.save(session, at: 0)
    world.command(.take(session, forced: true), at: 1)
    world.run(for: second)
    world.save(session, at: 1)
    world.heal(0)
    world.run(for: 10 * second)
    return world
  }

  @Test("a host that took its session back can make its content of the conflict current")
  func keepOwnConflict() {
    var world = Self.conflict()
    world.command(.take(session), at: 0)
    world.run(for: 2 * second)
    #expect(world.hosts[0].broker.saves(of: session) == [1, 3])
    world.command(.keep(session, host: "host0"), at: 0)
    world.run(for: 2 * second)
    #expect(world.answers.last == HandoffReply())
    #expect(world.hosts[0].broker.saves(of: session) == [1, 2])
    #expect(world.hosts[0].agent.status.sessions.first?.conflicts == [])
  }

  @Test("a conflict ends although the connection to etcd ends meanwhile", arguments: 0..<50)
  func keepAndDrop(seed: UInt64) {
    var world = Self.conflict(seed: seed)
    world.command(.keep(session, host: "host0"), at: 1)
    world.run(for: Int64(world.below(60_000_000)))
    world.drop(1)
    world.run(for: 20 * second)
    #expect(world.hosts[1].broker.saves(of: session) == [1, 2], "seed \(seed)")
    #expect(world.hosts[0].agent.status.sessions.first?.conflicts == [], "seed \(seed)")
    #expect(world.answers.last == HandoffReply(), "seed \(seed)")
  }

  @Test("a session stays discarded after an older reply of the broker", arguments: 0..<50)
  func discardedMeanwhile(seed: UInt64) {
    var world = Self.world(seed: seed)
    world.save(session, at: 0)
    world.run(for: Int64(world.below(10_000_000)))
    world.discard(session, at: 0)
    world.run(for: 3 * second)
    #expect(world.hosts[0].agent.status.sessions.isEmpty, "seed \(seed)")
    #expect(world.engine.values.keys.allSatisfy { $0.contains("/i/h/") }, "seed \(seed)")
  }
}
