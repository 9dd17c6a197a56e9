import SceneHandoff
import SceneJSON
import SceneModel
import ScenePlatform
import Testing

private let second: Int64 = 1_000_000_000

/// Agents and brokers of three hosts, with scenes, kills, cuts, and an engine that loses its data.
/// `SCENE_SIMULATION_RUNS=1000` runs 1000 seeds, and `SCENE_SIMULATION_SEED=…` one.
@Suite("Three hosts at random")
struct RandomHostsTests {
  private static var seeds: [UInt64] {
    if let seed = Environment["SCENE_SIMULATION_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    return Array(0..<(Environment["SCENE_SIMULATION_RUNS"].flatMap { UInt64($0) } ?? 100))
  }

  @Test("no save is lost, and each session ends at one host", arguments: seeds)
  func walk(seed: UInt64) {
    var world = HostWorld(seed: seed, hosts: 3)
    world.run(for: 2 * second)
    let sessions = (1...2).map { SessionIdentifier(random: UInt64($0), 2) }
    for id in sessions { world.create(id, at: world.below(3)) }
    world.disturbs = true
    var canBeTwice = false
    var wasWiped = false
    for _ in 0..<40 {
      world.run(for: Int64(world.below(40)) * Int64(world.below(40)) * 2_000_000)
      let id = sessions[world.below(2)]
      let host = world.below(3)
      switch world.below(seed % 4 == 0 ? 18 : 17) {
      case 0..<6: world.save(id, at: host)
      case 6..<9:
        if !world.isPresent(id, at: host) {
          world.command(.take(id), at: host)
        }
      case 9:
        if !world.isPresent(id, at: host) {
          canBeTwice = true
          world.command(.take(id, forced: true), at: host)
        }
      case 10: world.start(host)
      case 11:
        // The lease of a host that is cut off can end.
        canBeTwice = true
        world.cut(host)
      case 12: world.heal(host)
      case 13: world.drop(host)
      case 14: world.killBroker(host)
      case 15: world.open(id, at: host)
      case 17:
        (canBeTwice, wasWiped) = (true, true)
        world.wipe()
      default:
        if let other = world.hosts[host].agent.view.conflicts[id]?.first?.host {
          world.command(.keep(id, host: other), at: host)
        }
      }
      if !canBeTwice {
        #expect(world.twice.isEmpty, "seed \(seed)")
      }
    }
    world.disturbs = false
    for host in 0..<3 { world.heal(host) }
    world.run(for: 60 * second)
    #expect(world.ends.isEmpty, "seed \(seed)")
    for id in sessions {
      // The engine can lose a session whose new owner has not read it yet.
      if wasWiped, world.places(of: id).isEmpty,
        let host = world.hosts.indices.last(where: { world.hosts[$0].broker.stored(id) != nil })
      {
        world.command(.take(id, forced: true), at: host)
        world.run(for: 5 * second)
      }
      let places = world.places(of: id)
      #expect(places.count == 1, "seed \(seed): \(places)")
      let owner = world.hosts[0].agent.view.owners[id]
      #expect(owner?.owner.host == places.first.map { world.hosts[$0].name }, "seed \(seed)")
      var kept = world.conflictSaves(id)
      // The contents of conflicts in the engine are lost with it.
      for place in wasWiped ? [0, 1, 2] : places {
        kept.formUnion(world.hosts[place].broker.history(of: id))
      }
      let lost = (world.saves[id] ?? []).subtracting(kept)
      #expect(lost.isEmpty, "seed \(seed): lost \(lost.sorted())")
      let generations = world.engine.log.compactMap { change -> Int64? in
        guard case .put(let value) = change, value.key.hasSuffix("/i/m/\(id)") else { return nil }
        return SessionEntry(key: value.value)?.generation
      }
      #expect(wasWiped || generations == generations.sorted(), "seed \(seed)")
    }
  }
}
