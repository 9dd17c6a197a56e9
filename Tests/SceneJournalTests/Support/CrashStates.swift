import SceneJournal
import SceneTestSupport
import Testing

/// Recovers the states that a power cut can leave of a disk, each of them once.
struct CrashStates {
  private let name: String
  /// How many power cuts to try at each crash point; nil for all.
  private let cutsPerPoint: Int?
  private var random: SeededGenerator
  private var fingerprints: Set<Int> = []
  private var crashPointCount = 0
  private var startCount = 0
  private var interruptedCount = 0
  /// The calls before which the power was cut, without the numbers of files.
  private(set) var calls: Set<String> = []

  init(name: String, cutsPerPoint: Int?, random: SeededGenerator) {
    self.name = name
    self.cutsPerPoint = cutsPerPoint
    self.random = random
  }

  var count: Int { fingerprints.count }

  var summary: String {
    "\(name): \(count) states of \(crashPointCount) crash points, \(interruptedCount) of them "
      + "after an interrupted start"
  }

  /// One of so many starts is also interrupted at each of its calls.
  private static let interruptedShare = 31

  /// Runs a workload and cuts the power before each call that changes the disk.
  mutating func check(_ workload: Workload) throws {
    let disk = SimulatedDisk(seed: 1)
    var progress = Progress()
    let points = disk.record { progress = workload.run(on: disk) }
    try #require(progress.error == nil)
    for point in points {
      calls.insert(point.next.filter { !$0.isNumber })
      let acknowledged = progress.acknowledgements.prefix { $0 <= point.calls }.count
      for cut in cuts(at: point) {
        let state = point.disk(after: cut)
        guard insert(state) else { continue }
        try check(state, workload, acknowledged...acknowledged + 1, "\(place(of: point)), \(cut)")
      }
      // The next start sees what is not on the disk yet.
      let state = point.diskAfterKill()
      _ = insert(state)
      let place = "\(place(of: point)), killed"
      try check(state, workload, acknowledged...acknowledged + 1, place, isKilled: true)
    }
  }

  private func place(of point: SimulatedCrashPoint) -> String {
    "\(name), call \(point.calls + 1) (\(point.next))"
  }

  private mutating func cuts(at point: SimulatedCrashPoint) -> [PowerCut] {
    crashPointCount += 1
    let all = PowerCut.all(of: point.pendingCount, samples: 4, using: &random)
    guard let cutsPerPoint else { return all }
    return Array(all.shuffled(using: &random).prefix(cutsPerPoint))
  }

  /// Returns whether the state is new.
  private mutating func insert(_ disk: SimulatedDisk) -> Bool {
    fingerprints.insert(disk.fingerprint).inserted
  }

  /// The state has all acknowledged records and no others, and keeps them over starts that are
  /// interrupted. The next process can write, and its records survive too.
  private mutating func check(
    _ state: SimulatedDisk, _ workload: Workload, _ expected: ClosedRange<Int>, _ place: String,
    isKilled: Bool = false
  ) throws {
    var notes = Notes()
    let starts = try state.record { notes = try recoverWithRoom(state, workload.options) }
    let commits = try #require(workload.commits(in: notes), "\(place): an invented state")
    #expect(expected ~= commits, "\(place)")
    startCount += 1
    guard startCount % Self.interruptedShare == 0 else { return }
    try checkContinuation(of: state, notes, workload.options, place)
    for point in starts {
      crashPointCount += 1
      let chance = PowerCut.chance(seed: random.next())
      let cuts: [PowerCut] = [.prefix(0), .prefix(point.pendingCount), chance]
      for disk in cuts.map({ point.disk(after: $0) }) + [point.diskAfterKill()]
      where insert(disk) {
        interruptedCount += 1
        let found = try recoverWithRoom(disk, workload.options)
        let call = "call \(point.calls + 1) (\(point.next)) of the start"
        // A record that was never acknowledged can be lost until the start shows it.
        let mayDiffer = isKilled && point.next != "end"
        let isRight =
          mayDiffer ? workload.commits(in: found).map { expected ~= $0 } == true : found == notes
        #expect(isRight, "\(place), then \(call)")
      }
    }
  }

  private func checkContinuation(
    of disk: SimulatedDisk, _ notes: Notes, _ options: JournalOptions, _ place: String
  ) throws {
    disk.capacity = .max
    disk.cutPower()
    let later = JournalRecords([0: "later"])
    var writer = try openJournal(disk, options)
    try writer.commit(later)
    disk.cutPower()
    #expect(try recover(disk, options) == notes.adding(later), "\(place), then a commit")
  }
}
