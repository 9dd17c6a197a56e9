import SceneJournal

/// A change of a ``SimulatedDisk`` that no sync has made durable.
enum SimulatedChange: Sendable {
  /// A sector with its new bytes.
  case sector(file: Int, offset: Int, bytes: ContiguousArray<UInt8>.SubSequence)
  case length(file: Int, byteCount: Int)
  case name(removed: String?, added: String?, file: Int)

  /// The file whose sync makes the change durable; nil for a change of the directory.
  var file: Int? {
    switch self {
    case .sector(let file, _, _), .length(let file, _): file
    case .name: nil
    }
  }

  func apply(to names: inout [String: Int]) {
    guard case .name(let removed, let added, let file) = self else { return }
    if let removed, names[removed] == file { names[removed] = nil }
    if let added { names[added] = file }
  }
}

/// The effect of a power cut on a change.
enum SimulatedFate: CaseIterable, Sendable {
  case kept, dropped, zeroed, garbled

  static func random(using random: inout SeededGenerator) -> SimulatedFate {
    allCases.randomElement(using: &random) ?? .dropped
  }
}

/// The changes that reach the disk before a power cut. The changes that no sync has made durable
/// have the numbers 0, 1, 2 … in the order of the calls.
package enum PowerCut: Hashable, Sendable {
  /// The first so many changes.
  case prefix(Int)
  /// All changes except one.
  case without(Int)
  /// One change.
  case only(Int)
  /// The changes whose bits are set.
  case subset(UInt64)
  /// Chance decides about each change. A sector can also become zeros or garbage.
  case chance(seed: UInt64)

  /// All reorderings of a few changes. Of many changes, each prefix, each change that is missing or
  /// alone, and `samples` random results.
  package static func all(
    of count: Int, samples: Int, using random: inout SeededGenerator
  ) -> [PowerCut] {
    let chances = (0..<samples).map { _ in PowerCut.chance(seed: random.next()) }
    if count <= 8 { return (0..<UInt64(1) << UInt64(count)).map { .subset($0) } + chances }
    return (0...count).map { .prefix($0) }
      + (0..<count).flatMap { [.without($0), .only($0)] } + chances
  }

  func fate(
    of change: SimulatedChange, number: Int, _ random: inout SeededGenerator
  ) -> SimulatedFate {
    let isKept: Bool
    switch self {
    case .prefix(let count): isKept = number < count
    case .without(let missing): isKept = number != missing
    case .only(let present): isKept = number == present
    case .subset(let bits): isKept = bits >> UInt64(number) & 1 == 1
    case .chance:
      if case .sector = change { return .random(using: &random) }
      isKept = Bool.random(using: &random)
    }
    return isKept ? .kept : .dropped
  }
}

/// The disk before a call that changes it.
package struct SimulatedCrashPoint: Sendable {
  /// The number of calls before this point.
  package let calls: Int
  /// The next call and its file, for example "write log-1"; "end" after the last call.
  package let next: String
  let state: SimulatedDiskState

  /// The number of changes that no sync has made durable.
  package var pendingCount: Int { state.changes.count }

  /// The disk after a power cut at this point.
  package func disk(after cut: PowerCut) -> SimulatedDisk {
    var state = state
    if case .chance(let seed) = cut { state.random = SeededGenerator(seed: seed) }
    state.cutPower(cut)
    return SimulatedDisk(state)
  }

  /// The disk after the process was killed at this point.
  package func diskAfterKill() -> SimulatedDisk {
    var state = state
    state.killProcess()
    return SimulatedDisk(state)
  }
}
