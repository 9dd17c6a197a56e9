import SceneJournal
import ScenePlatform
import SceneTestSupport
import Testing

/// A fixed workload in which the N-th call of one kind fails, once or from then on.
///
/// A usual run tries one random number of each kind. `SCENE_FAILING_CALLS=12` tries the number 12,
/// and `SCENE_FAILING_CALLS=all` each number until no call fails. The latter prints the number of
/// runs.
@Suite("Each failing call")
struct FailingCallTests {
  private static let choice = Environment["SCENE_FAILING_CALLS"]
  private static let triesAll = choice == "all"
  /// Whether all later calls fail too.
  private static let lengths = choice == nil ? [.random()] : [false, true]
  private static let seeds: [UInt64] = triesAll ? [86, 32] : [86]

  /// Two processes of the daemon with some clients, switches of the log and compactions.
  private static func workload(seed: UInt64 = seeds[0], _ arm: (World) -> Void = { _ in }) -> World
  {
    let world = World(seed: seed) { plan in
      plan.weights = WorldPlan.Weights(
        leap: 0, close: 0, kill: 0, crash: 0, fault: 0, fill: 0, terminate: 0)
      plan.journal.durability = .disk
      plan.journal.logByteCount = 32 << 10
      plan.journal.waitingByteCount = 32 << 10
      plan.journal.zeroAheadByteCount = 8 << 10
      plan.journal.batchByteLimit = 12 << 10
      plan.journal.compactionByteCount = 16 << 10
      plan.journal.logLimit = 2
      plan.journal.ballastByteCount = 32 << 10
    }
    world.keepsFault = true
    arm(world)
    world.begin()
    world.run(steps: 250)
    world.crash(byPowerCut: true)
    world.startDaemon()
    world.run(steps: 250)
    return world
  }

  /// The workload without a failure.
  private nonisolated(unsafe) static let whole = workload()

  /// Runs the workload with a failing call: one of `count`, or each until a run has no failure.
  private func runs(
    _ name: String, count: Int, failures: (World) -> Int,
    check: (World, String) -> Void = { _, _ in }, _ arm: (World, _ number: Int) -> Void
  ) throws {
    var runs = 0
    for seed in Self.seeds {
      let chosen = Self.choice.flatMap(Int.init).map { min($0, count) }
      let first = Self.triesAll ? 1 : chosen ?? .random(in: 1...count)
      for number in first...(Self.triesAll ? .max : first) {
        let world = Self.workload(seed: seed) { arm($0, number) }
        guard failures(world) > 0 else { break }
        world.comeToRest()
        runs += 1
        let place = "\(name), seed \(seed), call \(number)"
        if let complaint = world.model.complaint { Issue.record("\(place): \(complaint)") }
        check(world, place)
      }
    }
    #expect(runs > 0, "\(name): no call has failed")
    if Self.triesAll { try StandardStream.error.write("\(name): \(runs) runs\n") }
  }

  @Test("the workload switches logs, compacts and starts again")
  func workload() {
    let model = Self.whole.model
    #expect(model.complaint == nil)
    for sight in ["a log was full", "compacted", "power cut"] {
      #expect(model.sights[sight] != nil, "\(sight)")
    }
  }

  /// Calls after whose failure the daemon must end: the disk may have lost a page.
  private static let fatal: [StorageFailure.Call] = [
    .write, .shorten, .syncData, .syncDirectory, .rename, .remove,
  ]

  @Test(
    "after a failed call of the disk, the daemon exits with 74 and has lost no promised record",
    arguments: [.list, .open, .create, .size, .read] + fatal, lengths)
  func disk(call: StorageFailure.Call, isForever: Bool) throws {
    let name = "disk: \(call.rawValue) fails \(isForever ? "from then on" : "once")"
    let count = Self.whole.disk.calls(of: call)
    try runs(name, count: count, failures: \.disk.faultCount) { world, place in
      let sights = world.model.sights
      let hasEnded =
        sights["ended by an error of the disk"] != nil || sights["start: the disk fails"] != nil
      #expect(hasEnded || !Self.fatal.contains(call), "\(place): the daemon goes on")
    } _: { world, number in
      world.disk.fault =
        isForever
        ? .forever(.inputOutputError, from: number, only: call)
        : .once(.inputOutputError, at: number, only: call)
    }
  }

  @Test(
    "a call that finds the disk full loses no promised record",
    arguments: [StorageFailure.Call.create, .write, .syncData, .syncDirectory], lengths)
  func full(call: StorageFailure.Call, isForever: Bool) throws {
    let name = "full disk: \(call.rawValue) fails \(isForever ? "from then on" : "once")"
    let count = Self.whole.disk.calls(of: call)
    try runs(name, count: count, failures: \.disk.faultCount) { world, number in
      world.disk.fault =
        isForever
        ? .forever(.noSpace, from: number, only: call) : .once(.noSpace, at: number, only: call)
    }
  }

  @Test(
    "a failed call on a connection loses no promised record and ends no daemon",
    arguments: [
      (TransportFaults.Call.send, TransportFaults.Effect.failed(.brokenPipe)),
      (.send, .failed(.inputOutput)), (.send, .failed(.noBuffers)), (.send, .short(0)),
      (.send, .short(1)), (.receive, .failed(.connectionReset)),
    ], lengths)
  func transport(
    fault: (call: TransportFaults.Call, effect: TransportFaults.Effect), isForever: Bool
  ) throws {
    let name = "transport: \(fault.call) \(fault.effect) \(isForever ? "from then on" : "once")"
    let count = Self.whole.transport.calls[fault.call] ?? 1
    try runs(name, count: count, failures: \.transport.count) { world, place in
      #expect(world.model.sights["ended by an error of the disk"] == nil, "\(place)")
    } _: { world, number in
      world.transport.set(fault.effect, of: fault.call, at: number...(isForever ? .max : number))
    }
  }
}
