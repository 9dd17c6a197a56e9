import SceneJournal
import ScenePlatform
import SceneTestSupport
import Testing

/// Each failure reports its seed and its call, so that it can be repeated.
///
/// Each run tries a different part of the calls; `SCENE_CRASHES=all` tries all.
@Suite("A crash at any disk operation")
struct CrashTests {
  /// Stops a workload at many calls, lets `end` choose the surviving bytes, and recovers.
  private func crashAllOver(
    _ workload: Workload, seed: UInt64, effect: SimulatedFault.Effect, forever: Bool = false,
    samples: Int = 120,
    end: (SimulatedDisk) -> Void,
    check: (_ disk: SimulatedDisk, _ progress: Progress, _ place: String) throws -> Void
  ) throws {
    let whole = SimulatedDisk(seed: seed)
    let progress = workload.run(on: whole)
    try #require(progress.error == nil)
    try #require(progress.acknowledged == workload.states.count - 1)
    // A full disk causes more calls.
    let step = Self.step(whole.calls / (workload.isCramped ? samples / 8 : samples))
    for call in stride(from: .random(in: 1...step), through: whole.calls, by: step) {
      let disk = SimulatedDisk(seed: seed &* 1_000_003 &+ UInt64(call))
      disk.fault = forever ? .forever(effect, from: call) : .once(effect, at: call)
      let progress = workload.run(on: disk)
      end(disk)
      try check(disk, progress, "seed \(seed), call \(call)")
    }
  }

  /// The distance between two tried calls.
  private static func step(_ usual: Int) -> Int {
    Environment["SCENE_CRASHES"] == "all" ? 1 : max(1, usual)
  }

  /// Checks three rules: all acknowledged records exist; no other records exist; and records that
  /// an opened journal shows survive later crashes.
  private func checkRecovery(
    _ disk: SimulatedDisk, _ workload: Workload, _ progress: Progress, _ place: String
  ) throws {
    let notes = try recoverWithRoom(disk, workload.options)
    let commits = try #require(workload.commits(in: notes), "\(place): an invented state")
    #expect(progress.acknowledged...progress.submitted ~= commits, "\(place)")
    disk.cutPower()
    #expect(try recoverWithRoom(disk, workload.options) == notes, "\(place): lost after recovery")
  }

  /// The workloads of each crash: a disk with space, and a disk that is sometimes full.
  enum Kind: CaseIterable {
    case mixed
    case cramped

    func workload(
      _ options: JournalOptions = .small(), commits: Int = 60, seed: UInt64 = 4
    ) throws -> Workload {
      switch self {
      case .mixed: try .mixed(options, commits: commits, seed: seed)
      case .cramped: try .cramped(options, commits: commits, seed: seed)
      }
    }
  }

  @Test("the workloads switch, compact, fill the disk and start again", arguments: Kind.allCases)
  func workloadCoversIt(kind: Kind) throws {
    let progress = try kind.workload().run(on: SimulatedDisk(seed: 1))
    #expect(progress.error == nil)
    #expect(progress.begunLogs >= 3)
    #expect(progress.compactions >= 1)
    guard kind == .cramped else { return }
    #expect(progress.storageStates == [.ok, .full, .exhausted])
    #expect(progress.waits >= 2)
    #expect(progress.compactionsWhileFull >= 1)
  }

  @Test(
    "loses nothing acknowledged when the power is cut", arguments: Kind.allCases,
    1...2 as ClosedRange<UInt64>)
  func powerCut(kind: Kind, seed: UInt64) throws {
    let workload = try kind.workload()
    try crashAllOver(workload, seed: seed, effect: .stop, end: { $0.cutPower() }) {
      try checkRecovery($0, workload, $1, $2)
    }
  }

  @Test(
    "loses nothing written when the process is killed", arguments: Kind.allCases,
    [Durability.disk, .os])
  func kill(kind: Kind, durability: Durability) throws {
    let workload = try kind.workload(.small(durability: durability))
    try crashAllOver(workload, seed: 5, effect: .stop, end: { $0.killProcess() }) {
      try checkRecovery($0, workload, $1, $2)
    }
  }

  @Test(
    "keeps a beginning when the power is cut under durability os", arguments: Kind.allCases, [1, 2])
  func powerCutUnderOS(kind: Kind, seed: UInt64) throws {
    let workload = try kind.workload(.small(durability: .os))
    try crashAllOver(workload, seed: seed, effect: .stop, end: { $0.cutPower() }) {
      disk, progress, place in
      let notes = try recoverWithRoom(disk, workload.options)
      let commits = try #require(workload.commits(in: notes), "\(place): an invented state")
      #expect(commits <= progress.submitted, "\(place)")
      disk.cutPower()
      #expect(
        try recoverWithRoom(disk, workload.options) == notes, "\(place): lost after recovery")
    }
  }

  /// The kind of a failing call, and its consequences.
  struct Failing: CustomTestStringConvertible {
    let forever: Bool
    let cutsPower: Bool

    var testDescription: String {
      "\(forever ? "for ever" : "once"), then \(cutsPower ? "a power cut" : "a kill")"
    }

    static let all = [false, true].flatMap { forever in
      [false, true].map { Failing(forever: forever, cutsPower: $0) }
    }
  }

  @Test(
    "loses nothing acknowledged when a call fails, once or for ever", arguments: Kind.allCases,
    Failing.all)
  func errors(kind: Kind, failing: Failing) throws {
    let workload = try kind.workload()
    try crashAllOver(
      workload, seed: 11, effect: .inputOutputError, forever: failing.forever, samples: 60,
      end: { failing.cutsPower ? $0.cutPower() : $0.killProcess() }
    ) { disk, progress, place in
      try checkRecovery(disk, workload, progress, place)
    }
  }

  @Test(
    "survives a crash at every call of the start itself", arguments: Kind.allCases, [true, false])
  func crashDuringRecovery(kind: Kind, cutsPower: Bool) throws {
    let workload = try kind.workload(commits: 40)
    let total = SimulatedDisk(seed: 1)
    _ = workload.run(on: total)
    let step = Self.step(30)
    for call in stride(from: .random(in: 1...step), through: total.calls, by: step) {
      let seed = UInt64(call) &* 7919
      let crashed = SimulatedDisk(seed: seed)
      crashed.fault = .once(.stop, at: call)
      let progress = workload.run(on: crashed)
      cutsPower ? crashed.cutPower() : crashed.killProcess()
      crashed.capacity = .max
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

  @Test("a journal survives repeated faults", arguments: Kind.allCases)
  func faultsInARow(kind: Kind) throws {
    for seed in 1...100 as ClosedRange<UInt64> { try faultAfterFault(kind, seed: seed) }
  }

  private func faultAfterFault(_ kind: Kind, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let workload = try kind.workload(.random(using: &random), commits: 40, seed: seed)
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
        try checkRecovery(disk, workload, progress, "\(kind), seed \(seed), round \(round)")
      }
    }
  }
}
