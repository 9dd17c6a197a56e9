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

  @Test("the later of two takers is refused", arguments: 0..<20)
  func twoTakers(seed: UInt64) {
    var world = HostWorld(seed: seed, hosts: 3)
    world.run(for: second)
    world.create(session, at: 0)
    world.run(for: second)
    world.command(.take(session), at: 1)
    world.command(.take(session), at: 2)
    world.run(for: 5 * second)
    #expect(world.answers.count { $0.refused == nil } == 1, "seed \(seed)")
    #expect(world.answers.count == 2 && world.places(of: session).count == 1, "seed \(seed)")
  }

  @Test("a move by hand leaves the copies of third hosts")
  func movedByHand() {
    var world = HostWorld(seed: 1, hosts: 3)
    world.run(for: second)
    world.create(session, at: 0)
    world.run(for: second)
    world.command(.take(session), at: 1)
    world.run(for: 2 * second)
    world.move(session, from: 1, to: 2)
    world.run(for: 5 * second)
    #expect(world.places(of: session) == [2])
    #expect(world.hosts[0].broker.history(of: session) == [1])
    #expect(world.hosts[0].agent.view.owners[session]?.owner.host == "host2")
    world.discard(session, at: 2)
    world.run(for: 5 * second)
    #expect(world.hosts[0].broker.sessions.isEmpty)
  }

  @Test("a watch without changes is opened again", arguments: [false, true])
  func silentWatch(isForced: Bool) {
    var world = Self.world()
    world.hosts[0].isWatching = false
    world.save(session, at: 0)
    if isForced { world.command(.take(session, forced: true), at: 1) }
    world.run(for: 15 * second)
    #expect(world.logs.contains { $0.contains("reports no changes") })
    world.save(session, at: isForced ? 1 : 0)
    world.run(for: 5 * second)
    #expect(world.places(of: session) == [isForced ? 1 : 0])
    let generation = world.hosts[isForced ? 1 : 0].broker.stored(session)?.generation
    #expect(world.hosts[0].agent.view.entries[session]?.generation == generation)
  }

  @Test("a take that waits for a host succeeds when the presence of that host ends")
  func presenceEnds() {
    var world = Self.world()
    world.cut(0)
    world.run(for: 18 * second)
    world.command(.take(session), at: 1)
    world.run(for: 14 * second)
    #expect(world.answers == [HandoffReply()])
    #expect(world.hosts[1].broker.saves(of: session) == [1])
  }

  @Test("a host that cannot adopt a session passes it on to the host that takes it back")
  func cannotAdopt() {
    var world = Self.world()
    world.hosts[1].broker.refusesAdoptions = true
    world.command(.take(session), at: 1)
    world.run(for: 2 * second)
    #expect(world.answers.last?.refused == "storage is full")
    world.command(.take(session), at: 0)
    world.run(for: 2 * second)
    #expect(world.answers.last == HandoffReply())
    #expect(world.places(of: session) == [0])
    #expect(world.hosts[0].broker.saves(of: session) == [1])
  }
}
