import SceneModel
import ScenePlatform
import Testing

/// Two clients send three requests each. The daemon reads the frames in every order: a simulation
/// with the same seed for each of the 20 orders.
///
/// `SCENE_SIMULATION_RUNS=1000` tries 50 pairs of clients, which are 1000 simulations.
@Suite("Interleavings")
struct InterleavingTests {
  private static let seeds: [UInt64] = {
    let runs = Environment["SCENE_SIMULATION_RUNS"].flatMap { Int($0) } ?? 0
    return (0..<max(3, runs / orders.count)).map { _ in .random(in: 1 ... .max) }
  }()

  /// For each frame, whether the first client has sent it.
  private static let orders = (0..<64).map { bits in (0..<6).map { bits >> $0 & 1 == 1 } }
    .filter { order in order.count { $0 } == 3 }

  @Test("the frames of two connections can arrive in any order", arguments: seeds)
  func orders(seed: UInt64) {
    for order in Self.orders {
      let complaint = Self.live(seed, order, isTranscribed: false).model.complaint
      guard let complaint else { continue }
      let again = Self.live(seed, order, isTranscribed: true)
      Issue.record("seed \(seed), \(order): \(complaint)\n\(again.transcript.tail(60))")
    }
  }

  private static func live(_ seed: UInt64, _ order: [Bool], isTranscribed: Bool) -> World {
    let world = World(seed: seed, isTranscribed: isTranscribed) { plan in
      plan.weights.close = 0
      plan.weights.kill = 0
      plan.weights.crash = 0
      plan.weights.fault = 0
      plan.weights.fill = 0
      plan.weights.terminate = 0
    }
    world.begin()
    world.run(steps: 150)
    let pair = world.clients.filter { $0.isAlive && $0.wire != nil }.prefix(2)
    guard let first = pair.first, let second = pair.dropFirst().first else { return world }
    for client in pair {
      world.sendAll(of: client)
      client.behavior = .best
      for _ in 0..<3 { client.act() }
    }
    for isFirst in order { world.sendFrame(of: isFirst ? first : second) }
    world.comeToRest()
    return world
  }
}

extension World {
  /// The daemon reads the next frame of the client. Between two frames, the disk can have written
  /// records, and clients can have answered.
  fileprivate func sendFrame(of client: SimulatedClient) {
    model.tick += 1
    guard let wire = client.wire, let count = wire.nextFrameByteCount else { return }
    iterate { hand(wire.takeUpstream(count), on: wire, $0) }
    if dice.once(in: 2) { run(steps: 1) }
  }

  fileprivate func sendAll(of client: SimulatedClient) {
    while model.complaint == nil, let wire = client.wire, wire.nextFrameByteCount != nil {
      sendFrame(of: client)
    }
  }
}
