import SceneHandoff
import SceneJSON
import SceneModel
import Testing

private let second: Int64 = 1_000_000_000
private let session = SessionIdentifier(random: 1, 2)

@Suite("The agent of handoff")
struct AgentTests {
  /// Two hosts; the first one has a published session with one save.
  private static func world(seed: UInt64 = 1) -> HostWorld {
    var world = HostWorld(seed: seed, hosts: 2)
    world.run(for: second)
    world.create(session, at: 0)
    world.run(for: second)
    return world
  }

  @Test("a session is published at once, and then at most once a second")
  func publish() {
    var world = Self.world()
    #expect(world.hosts[0].agent.view.owners[session]?.owner.host == "host0")
    let before = world.engine.revision
    for _ in 0..<100 {
      world.save(session, at: 0)
      world.run(for: 10_000_000)
    }
    world.run(for: 2 * second)
    #expect(2...3 ~= world.engine.revision - before)
    #expect(world.hosts[1].agent.view.entries[session]?.generation == 101)
  }

  @Test("an idle agent only renews its lease")
  func idle() {
    var world = Self.world()
    world.run(for: 5 * second)
    let before = world.engine.revision
    let deadline = world.hosts[0].agent.deadline
    world.run(for: 9 * second)
    #expect(world.engine.revision == before)
    #expect(deadline.map { $0 - world.hosts[0].clock > world.time - 9 * second } == true)
  }

  @Test("a requested session moves with its last save, and is present once")
  func requested() {
    var world = Self.world()
    let fence = world.hosts[1].agent.view.owners[session]?.fence
    world.save(session, at: 0)
    world.command(.take(session, seen: fence), at: 1)
    world.run(for: 2 * second)
    #expect(world.answers == [HandoffReply()])
    #expect(world.places(of: session) == [1])
    #expect(world.hosts[1].broker.saves(of: session) == [1, 2])
    #expect(world.hosts[1].broker.fileNumbers(of: session) == [1, 2])
    #expect(world.hosts[1].agent.memories[session]?.files != 0)
    #expect(world.hosts[1].broker.stored(session)?.attributes.maker == "vim")
    #expect(world.hosts[0].broker.away(session)?.to == "host1")
    #expect(world.hosts[0].broker.away(session)?.isConfirmed == true)
    #expect(world.conflictSaves(session) == [])
    world.command(.take(session), at: 0)
    world.run(for: 2 * second)
    #expect(world.places(of: session) == [0])
  }

  @Test("a person who saw an older owner is refused with the present one")
  func seen() {
    var world = Self.world()
    world.command(.take(session, seen: 1), at: 1)
    world.run(for: second)
    let why = world.answers.first?.refused ?? ""
    #expect(why.contains("it is at host0"))
    #expect(world.places(of: session) == [0])
  }

  @Test("a session is taken from a dead host after its lease, and both contents stay")
  func absent() {
    var world = Self.world()
    world.cut(0)
    world.save(session, at: 0)
    world.run(for: 31 * second)
    world.command(.take(session), at: 1)
    world.run(for: second)
    #expect(world.answers == [HandoffReply()])
    world.save(session, at: 1)
    #expect(world.places(of: session) == [0, 1])
    world.heal(0)
    world.run(for: 10 * second)
    #expect(world.places(of: session) == [1])
    #expect(world.hosts[1].broker.saves(of: session) == [1, 3])
    #expect(world.conflictSaves(session) == [1, 2])
    #expect(world.hosts[0].broker.away(session)?.isConfirmed == true)
    #expect(world.hosts[1].agent.status.sessions.first?.conflicts == ["host0"])
    // Either side can become current.
    world.command(.keep(session, host: "host0"), at: 1)
    world.run(for: 2 * second)
    #expect(world.hosts[1].broker.saves(of: session) == [1, 2])
    #expect(world.hosts[1].broker.history(of: session) == [1, 2, 3])
    #expect(world.hosts[1].agent.status.sessions.first?.conflicts == [])
  }

  @Test("a present host that does not answer keeps its session until the lease ends, or by force")
  func forced() {
    var world = Self.world()
    world.cut(0)
    world.command(.take(session), at: 1)
    world.run(for: 16 * second)
    #expect(world.places(of: session) == [0])
    #expect(world.answers.first?.refused != nil)
    world.command(.take(session, forced: true), at: 1)
    world.run(for: second)
    #expect(world.answers.last == HandoffReply())
    world.heal(0)
    world.run(for: 10 * second)
    #expect(world.places(of: session) == [1])
    // The content was published, so there is no conflict.
    #expect(world.conflictSaves(session) == [])
  }

  @Test("a discard at the owner removes the keys and the copies of other hosts")
  func discard() {
    var world = Self.world()
    world.command(.take(session), at: 1)
    world.run(for: 2 * second)
    world.discard(session, at: 1)
    world.run(for: second)
    #expect(world.hosts[0].agent.view.owners.isEmpty)
    #expect(world.hosts[0].broker.sessions.isEmpty)
    #expect(world.engine.values.keys.allSatisfy { $0.contains("/i/h/") })
  }

  @Test("a broker that lost its state gets its sessions back")
  func lostState() {
    var world = Self.world()
    world.killBroker(0, losingState: true)
    world.run(for: second)
    #expect(world.hosts[0].broker.saves(of: session) == [1])
  }

  @Test("a second host with the name of a live one ends")
  func name() {
    var world = Self.world()
    world.hosts[1].agent = Agent(
      world.hosts[0].agent.settings, state: AgentState(number: 7), seed: 1, at: world.time)
    world.hosts[1].state = AgentState(number: 7)
    world.start(1)
    world.run(for: 5 * second)
    #expect(
      world.ends.first == "the name host0 is used by another host; choose another with --host")
  }

  @Test("a full engine is named, and the session is published after the repair")
  func full() {
    var world = Self.world()
    world.engine.isFull = true
    world.save(session, at: 0)
    world.run(for: 2 * second)
    #expect(world.hosts[0].agent.status.problem?.contains("etcdctl alarm disarm") == true)
    world.engine.isFull = false
    world.run(for: 10 * second)
    #expect(world.hosts[0].agent.status.problem == nil)
    #expect(world.hosts[1].agent.view.entries[session]?.generation == 2)
  }

  @Test("a session too large for the engine stays, and its taker is told")
  func tooLarge() {
    var world = Self.world()
    world.save(session, at: 0, Array(repeating: 7, count: Agent.contentByteLimit / 2))
    world.command(.take(session), at: 1)
    world.run(for: 3 * second)
    #expect(world.places(of: session) == [0])
    let why = world.answers.first?.refused ?? ""
    #expect(why.contains("could not release"))
    #expect(world.logs.count { $0.contains("it stays at host0") } == 1)
  }

  @Test("a data directory too large for the engine stays, and its session moves without it")
  func tooLargeDirectory() {
    var world = Self.world()
    world.save(session, at: 0, Array(1...15_000))
    world.run(for: 2 * second)
    #expect(world.logs.count { $0.contains("the data directory stays at host0") } == 1)
    #expect(world.engine.values["/scene/ada/notes/d/\(session)"] == nil)
    world.command(.take(session), at: 1)
    world.run(for: 2 * second)
    #expect(world.places(of: session) == [1])
    #expect(world.hosts[1].broker.saves(of: session)?.count == 15_002)
    #expect(world.hosts[1].broker.fileNumbers(of: session) == [])
  }

  @Test("an agent that was killed after the release takes the session back under a new fence")
  func reclaimed() {
    var world = Self.world()
    world.command(.take(session), at: 1)
    while world.isPresent(session, at: 0) { world.run(for: 1000) }
    world.start(0)
    world.run(for: 15 * second)
    #expect(world.places(of: session) == [1])
    let owners = world.engine.log.compactMap { change -> SessionOwner? in
      guard case .put(let value) = change, value.key.hasSuffix("/i/o/\(session)") else {
        return nil
      }
      return SessionOwner(key: value.value)
    }
    #expect(owners.map(\.host) == ["host0", "host0", "host1"])
    #expect(world.answers == [HandoffReply()])
  }

  @Test("a copy is a new session, and the owner keeps its own")
  func copy() throws {
    var world = Self.world()
    world.command(HandoffQuestion(.copy, session), at: 1)
    world.run(for: 2 * second)
    let copy = try #require(world.answers.first?.session)
    world.run(for: second)
    #expect(world.places(of: session) == [0])
    #expect(world.hosts[1].broker.saves(of: copy) == [1])
    #expect(world.hosts[1].broker.fileNumbers(of: copy) == [1])
    #expect(world.hosts[0].agent.view.owners[copy]?.owner.host == "host1")
  }

  @Test("sessions are published again under higher fences after the engine lost its data")
  func wiped() {
    var world = Self.world()
    for host in [1, 0, 1] {
      world.command(.take(session), at: host)
      world.run(for: 2 * second)
    }
    let before = world.hosts[1].agent.view.owners[session]?.fence ?? 0
    world.wipe()
    world.run(for: 10 * second)
    #expect(world.engine.revision < before)
    #expect(world.logs.count { $0.contains("etcd has lost sessions") } == 1)
    #expect(world.hosts[0].agent.view.owners[session]?.fence ?? 0 > before)
    world.command(.take(session), at: 0)
    world.run(for: 2 * second)
    #expect(world.places(of: session) == [0])
    #expect(world.hosts[0].broker.fileNumbers(of: session) == [1])
  }

  @Test("a session that the engine lost before its arrival becomes present again by force")
  func lostTransfer() {
    var world = Self.world()
    world.command(.take(session), at: 1)
    while world.hosts[0].broker.away(session)?.isConfirmed != true { world.run(for: 1000) }
    world.cut(1)
    world.killBroker(1, losingState: true)
    world.start(1)
    world.wipe()
    world.heal(1)
    world.run(for: 10 * second)
    #expect(world.hosts[0].agent.status.sessions.map(\.owner) == ["host1"])
    world.command(.take(session), at: 0)
    #expect(world.places(of: session) == [])
    world.command(.take(session, forced: true), at: 0)
    world.run(for: second)
    let why = world.answers.dropLast().last?.refused ?? ""
    #expect(why.contains("use --force"))
    #expect(world.answers.last == HandoffReply())
    #expect(world.places(of: session) == [0])
    #expect(world.hosts[1].agent.view.owners[session]?.owner.host == "host0")
  }

  @Test("an owner in a restored database gets a new fence before its session is taken")
  func restored() {
    var world = Self.world()
    world.raiseFence(of: session, at: 0, to: 1000)
    world.run(for: 2 * second)
    world.command(.take(session), at: 1)
    world.run(for: 2 * second)
    #expect(world.places(of: session) == [1])
    #expect(world.hosts[1].broker.stored(session)?.fence ?? 0 > 1000)
  }

  @Test("the newer owner keeps a session that two hosts publish after a loss", arguments: 0..<20)
  func wipedTwice(seed: UInt64) {
    var world = Self.world(seed: seed)
    world.cut(0)
    world.save(session, at: 0)
    world.run(for: 31 * second)
    world.command(.take(session), at: 1)
    world.run(for: second)
    world.wipe()
    world.heal(0)
    world.run(for: 15 * second)
    #expect(world.places(of: session) == [1])
    #expect(world.conflictSaves(session) == [1, 2])
  }

  @Test("the host of a session writes an unreadable owner again")
  func unreadable() {
    var world = Self.world()
    world.cut(0)
    world.change([.put("/scene/ada/notes/i/o/\(session)", [1, 2])])
    world.run(for: 5 * second)
    #expect(world.hosts[1].agent.status.sessions.map(\.owner) == [""])
    world.command(.take(session), at: 1)
    #expect(world.answers.last?.refused?.contains("start scenehandoff at the host") == true)
    world.heal(0)
    world.run(for: 5 * second)
    #expect(world.hosts[1].agent.status.sessions.map(\.owner) == ["host0"])
    world.command(.take(session), at: 1)
    world.run(for: 2 * second)
    #expect(world.places(of: session) == [1])
  }

  @Test("a session with an unreadable owner is taken from a lost host by force")
  func unreadableAndLost() {
    var world = Self.world()
    world.cut(0)
    world.change([.put("/scene/ada/notes/i/o/\(session)", [1, 2])])
    world.run(for: second)
    world.command(.take(session, forced: true), at: 1)
    world.run(for: second)
    #expect(world.answers.last == HandoffReply())
    #expect(world.hosts[1].broker.saves(of: session) == [1])
    world.save(session, at: 0)
    world.heal(0)
    world.run(for: 10 * second)
    #expect(world.places(of: session) == [1])
    #expect(world.conflictSaves(session) == [1, 2])
  }

  @Test("a session that is not eligible for handoff stays, and etcd does not keep its content")
  func notEligible() {
    var world = Self.world()
    world.save(session, at: 0, isEligible: false)
    world.command(.take(session), at: 1)
    world.run(for: 3 * second)
    #expect(world.places(of: session) == [0])
    #expect(world.answers.last?.refused != nil)
    #expect(world.engine.values.keys.allSatisfy { $0.contains("/i/h/") })
    world.save(session, at: 0)
    world.run(for: 2 * second)
    #expect(world.hosts[1].agent.view.entries[session]?.generation == 3)
    // Its content is no conflict, and the session can return.
    world.cut(0)
    world.save(session, at: 0, isEligible: false)
    world.command(.take(session, forced: true), at: 1)
    world.run(for: second)
    world.heal(0)
    world.run(for: 10 * second)
    #expect(world.conflictSaves(session) == [])
    world.command(.take(session), at: 0)
    world.run(for: 2 * second)
    #expect(world.places(of: session) == [0])
    #expect(world.hosts[0].broker.history(of: session) == [1, 2, 3, 4])
  }

  @Test("a take is finished after a kill or a lost connection at any time", arguments: 0..<200)
  func killed(seed: UInt64) {
    var world = Self.world(seed: seed)
    // The second save is not published before the release.
    world.save(session, at: 0)
    world.run(for: second / 10)
    world.save(session, at: 0)
    world.command(.take(session), at: 1)
    world.run(for: Int64(world.below(200_000_000)))
    switch world.below(3) {
    case 0: world.start(world.below(2))
    case 1: world.drop(world.below(2))
    default: world.killBroker(world.below(2))
    }
    world.run(for: 15 * second)
    #expect(world.places(of: session).count == 1, "seed \(seed)")
    let place = world.places(of: session).first ?? 0
    #expect(world.hosts[place].broker.saves(of: session) == [1, 2, 3], "seed \(seed)")
    #expect(world.twice.isEmpty && world.conflictSaves(session) == [], "seed \(seed)")
  }
}
