import SceneJournal
import SceneTestSupport
import Testing

@Suite("a crash at every call of the disk")
struct CrashTests {
  /// Stops a workload at each of its calls, lets `end` decide what is left, and recovers.
  private func crashEverywhere(
    _ workload: Workload, seed: UInt64, effect: SimulatedFault.Effect, forever: Bool = false,
    end: (SimulatedDisk) -> Void,
    check: (_ disk: SimulatedDisk, _ progress: Progress, _ place: String) throws -> Void
  ) throws {
    let whole = SimulatedDisk(seed: seed)
    let progress = workload.run(on: whole)
    try #require(progress.error == nil)
    try #require(progress.acknowledged == workload.states.count - 1)
    for call in 1...whole.calls {
      let disk = SimulatedDisk(seed: seed &* 1_000_003 &+ UInt64(call))
      disk.fault = forever ? .forever(effect, from: call) : .once(effect, at: call)
      let progress = workload.run(on: disk)
      end(disk)
      try check(disk, progress, "seed \(seed), call \(call)")
    }
  }

  /// Everything acknowledged must be there, nothing that was not submitted, and what an opened journal
  /// shows must survive from then on.
  private func checkRecovery(
    _ disk: SimulatedDisk, _ workload: Workload, _ progress: Progress, _ place: String
  ) throws {
    let notes = try recover(disk, workload.options)
    let commits = try #require(workload.commits(in: notes), "\(place): an invented state")
    #expect(progress.acknowledged...progress.submitted ~= commits, "\(place)")
    disk.cutPower()
    #expect(try recover(disk, workload.options) == notes, "\(place): lost after recovery")
  }

  @Test("loses nothing acknowledged when the power is cut", arguments: 1...2 as ClosedRange<UInt64>)
  func powerCut(seed: UInt64) throws {
    let workload = try Workload.mixed(.small())
    try crashEverywhere(workload, seed: seed, effect: .stop, end: { $0.cutPower() }) {
      try checkRecovery($0, workload, $1, $2)
    }
  }

  @Test("the workload switches and compacts")
  func workloadCoversIt() throws {
    let progress = try Workload.mixed(.small()).run(on: SimulatedDisk(seed: 1))
    #expect(progress.counts.switches >= 3)
    #expect(progress.counts.compactions >= 1)
  }

  @Test("loses nothing written when the process is killed", arguments: [Durability.disk, .os])
  func kill(durability: Durability) throws {
    let workload = try Workload.mixed(.small(durability: durability))
    try crashEverywhere(workload, seed: 5, effect: .stop, end: { $0.killProcess() }) {
      try checkRecovery($0, workload, $1, $2)
    }
  }

  @Test("keeps a beginning when the power is cut under durability os", arguments: [1, 2])
  func powerCutUnderOS(seed: UInt64) throws {
    let workload = try Workload.mixed(.small(durability: .os))
    try crashEverywhere(workload, seed: seed, effect: .stop, end: { $0.cutPower() }) {
      disk, progress, place in
      let notes = try recover(disk, workload.options)
      let commits = try #require(workload.commits(in: notes), "\(place): an invented state")
      #expect(commits <= progress.submitted, "\(place)")
      disk.cutPower()
      #expect(try recover(disk, workload.options) == notes, "\(place): lost after recovery")
    }
  }

  @Test(
    "loses nothing acknowledged when a call fails, once or for ever",
    arguments: [false, true], [false, true])
  func errors(forever: Bool, cutsPower: Bool) throws {
    let workload = try Workload.mixed(.small())
    try crashEverywhere(
      workload, seed: 11, effect: .inputOutputError, forever: forever,
      end: { cutsPower ? $0.cutPower() : $0.killProcess() }
    ) { disk, progress, place in
      try checkRecovery(disk, workload, progress, place)
    }
  }

  @Test("survives a crash at every call of the start itself", arguments: [true, false])
  func crashDuringRecovery(cutsPower: Bool) throws {
    let workload = try Workload.mixed(.small(), commits: 40)
    let total = SimulatedDisk(seed: 1)
    _ = workload.run(on: total)
    for call in stride(from: 1, through: total.calls, by: 11) {
      let seed = UInt64(call) &* 7919
      let crashed = SimulatedDisk(seed: seed)
      crashed.fault = .once(.stop, at: call)
      let progress = workload.run(on: crashed)
      cutsPower ? crashed.cutPower() : crashed.killProcess()
      crashed.calls = 0
      let clean = crashed.copy(seed: seed)
      let notes = try recover(clean, workload.options)
      for startCall in 1...clean.calls {
        let disk = crashed.copy(seed: seed &+ UInt64(startCall))
        disk.fault = .once(.stop, at: startCall)
        _ = try? recover(disk, workload.options)
        #expect(disk.isDown)
        disk.cutPower()
        let place = "seed \(seed), call \(call), then call \(startCall) of the start"
        if cutsPower {
          #expect(try recover(disk, workload.options) == notes, "\(place)")
        } else {
          try checkRecovery(disk, workload, progress, place)
        }
      }
    }
  }

  @Test("survives one fault after another")
  func faultsInARow() throws {
    for seed in 1...200 as ClosedRange<UInt64> { try faultAfterFault(seed: seed) }
  }

  private func faultAfterFault(seed: UInt64) throws {
    let workload = try Workload.mixed(.small(), commits: 40, seed: seed)
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk(seed: seed)
    disk.fault = .once(.stop, at: .random(in: 1...250, using: &random))
    let progress = workload.run(on: disk)
    disk.cutPower()
    for round in 1...6 {
      disk.calls = 0
      let effect: SimulatedFault.Effect = Bool.random(using: &random) ? .stop : .inputOutputError
      disk.fault = .once(effect, at: .random(in: 1...40, using: &random))
      _ = try? recover(disk, workload.options)
      Bool.random(using: &random) ? disk.cutPower() : disk.killProcess()
      disk.fault = nil
      if round % 2 == 0 {
        try checkRecovery(disk, workload, progress, "seed \(seed), round \(round)")
      }
    }
  }
}
