import SceneModel

/// What happened, the newest of it: for those who follow it, and to explain why a session is where
/// it is.
struct Story {
  private let capacity: Int
  let start: Instant
  /// A ring: entry `n` stands at `(n - 1) % capacity`.
  private var entries: [TraceEntry] = []
  private(set) var lastNumber: Int64 = 0
  /// For each session, the entries that explain where it is.
  private var chains: [SessionIdentifier: [TraceEntry]] = [:]
  /// How many entries the chains have together.
  private var chainedCount = 0

  /// How much of a session's chain of reasons is kept.
  static let chainLength = 32

  init(capacity: Int, start: Instant) {
    self.capacity = max(1, capacity)
    self.start = start
  }

  /// How many entries all chains together may have.
  private var chainedLimit: Int { max(8 * capacity, 2 * Self.chainLength) }

  /// Numbers the entry, which is told like that, and keeps it.
  mutating func add(_ entry: inout TraceEntry, at now: Instant) {
    lastNumber += 1
    entry.number = lastNumber
    entry.time = now.wall
    entry.elapsed = (now.monotonic - start.monotonic) / 1000
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[Int((lastNumber - 1) % Int64(capacity))] = entry
    }
    if let session = entry.session, entry.event.explains { chain(entry, of: session) }
  }

  private mutating func chain(_ entry: TraceEntry, of session: SessionIdentifier) {
    var entry = entry
    // Whoever asks for the chain knows the session, and its name is long at worst.
    entry.name = nil
    if chains[session, default: []].extend(by: entry) { chainedCount += 1 }
    if chainedCount > chainedLimit { dropOlderHalf() }
  }

  /// There may be very many sessions: the chains of those where nothing has happened for long are
  /// given up first.
  private mutating func dropOlderHalf() {
    let numbers = chains.values.flatMap { $0.map(\.number) }.sorted()
    let oldestKept = numbers[numbers.count / 2]
    chains = chains.compactMapValues { chain in
      let kept = chain.filter { $0.number >= oldestKept }
      return kept.isEmpty ? nil : kept
    }
    chainedCount = numbers.count - numbers.count / 2
  }

  /// What is kept of the entries after a number, in order: the newest of it, as far as it takes no
  /// more than so many bytes.
  func entries(after number: Int64, byteCount: Int) -> [TraceEntry] {
    let oldest = max(number, lastNumber - Int64(entries.count))
    var first = lastNumber + 1
    var room = byteCount
    while first - 1 > oldest {
      room -= entry(first - 1).jsonByteCount
      guard room >= 0 else { break }
      first -= 1
    }
    return (first..<lastNumber + 1).map(entry)
  }

  private func entry(_ number: Int64) -> TraceEntry {
    entries[Int((number - 1) % Int64(capacity))]
  }

  func chain(of session: SessionIdentifier) -> [TraceEntry] { chains[session] ?? [] }

  mutating func forget(_ session: SessionIdentifier) {
    chainedCount -= chains.removeValue(forKey: session)?.count ?? 0
  }
}

extension [TraceEntry] {
  /// Appends an entry; a full chain drops its oldest one. Tells whether the chain became longer.
  ///
  /// This is no method of `Story`: a call of one during the mutation of an element of `chains` keeps
  /// a second reference to the dictionary, so that the mutation copies all of it.
  fileprivate mutating func extend(by entry: TraceEntry) -> Bool {
    let isFull = count == Story.chainLength
    if isFull { removeFirst() }
    append(entry)
    return !isFull
  }
}
