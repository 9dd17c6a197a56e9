import SceneModel

/// What happened, the newest of it: for those who follow it, and to explain why a session is where it is.
struct Story {
  private let capacity: Int
  let start: Instant
  /// A ring: entry `n` stands at `n % capacity`.
  private var entries: [TraceEntry] = []
  private(set) var lastNumber: Int64 = 0
  /// For each session, the numbers of the entries that explain where it is.
  private var chains: [SessionIdentifier: [TraceEntry]] = [:]

  /// How much of a session's chain of reasons is kept.
  private static let chainLength = 32

  init(capacity: Int, start: Instant) {
    self.capacity = max(1, capacity)
    self.start = start
  }

  /// Numbers the entry, keeps it, and gives it back as it is told.
  mutating func add(_ entry: TraceEntry, at now: Instant) -> TraceEntry {
    lastNumber += 1
    var entry = entry
    entry.number = lastNumber
    entry.time = now.wall
    entry.elapsed = (now.monotonic - start.monotonic) / 1000
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[Int((lastNumber - 1) % Int64(capacity))] = entry
    }
    if let session = entry.session, entry.event.explains {
      extend(&chains[session, default: []], entry)
    }
    return entry
  }

  private func extend(_ chain: inout [TraceEntry], _ entry: TraceEntry) {
    if chain.count == Self.chainLength { chain.removeFirst() }
    chain.append(entry)
  }

  /// What is kept of the entries after a number, in order.
  func entries(after number: Int64) -> [TraceEntry] {
    let first = max(number + 1, lastNumber - Int64(entries.count) + 1, 1)
    guard first <= lastNumber else { return [] }
    return (first...lastNumber).map { entries[Int(($0 - 1) % Int64(capacity))] }
  }

  func chain(of session: SessionIdentifier) -> [TraceEntry] { chains[session] ?? [] }

  mutating func forget(_ session: SessionIdentifier) { chains[session] = nil }
}
