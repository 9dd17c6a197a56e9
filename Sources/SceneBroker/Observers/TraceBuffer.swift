import SceneModel

/// The newest entries of the trace, and for each session the entries that explain its state.
///
/// - `entries` has the newest entries, at most `capacity`, each at its place.
/// - `chainedCount` is the number of entries of all chains, at most `chainedLimit`.
/// - The links lead from `oldest` through every chain to `newest`, in the order of the chains'
///   newest entries.
struct TraceBuffer {
  private let capacity: Int
  private(set) var start: Instant
  /// A ring: entry `n` stands at `(n - 1 - skipped) % capacity`.
  private var entries: [TraceEntry] = []
  private(set) var lastNumber: Int64 = 0
  /// The entries before the first one of this buffer. The program before this one had them.
  private var skipped: Int64 = 0
  /// For each session, the entries that explain its state. The chains are linked in the order of
  /// their newest entries, so that the oldest chain is found without a search.
  private var chains: [SessionIdentifier: Chain] = [:]
  private var oldest: SessionIdentifier?
  private var newest: SessionIdentifier?
  private var chainedCount = 0
  private(set) var observers: Set<ConnectionIdentifier> = []
  /// The observers that get an entry for each observer of an event.
  private var deliveryObservers: Set<ConnectionIdentifier> = []

  /// The number of entries that a chain keeps.
  static let chainLength = 32

  init(capacity: Int, start: Instant) {
    self.capacity = max(1, capacity)
    self.start = start
  }

  /// The number of entries that all chains together may have.
  private var chainedLimit: Int { max(8 * capacity, 2 * Self.chainLength) }

  /// Continues the trace of the program before this one.
  mutating func restore(_ entries: [TraceEntry], start: Instant) {
    self.start = start
    skipped = (entries.first?.number ?? 1) - 1
    lastNumber = skipped
    for var entry in entries {
      lastNumber += 1
      append(&entry)
    }
  }

  /// Assigns number and time to the next entry. Call `append` with the entry afterwards.
  mutating func number(_ entry: inout TraceEntry, at now: Instant) {
    lastNumber += 1
    entry.number = lastNumber
    entry.time = now.wall
    entry.elapsed = (now.monotonic - start.monotonic) / 1000
  }

  /// Stores the entry that was numbered last. The caller gets the entry that it replaces, so that
  /// the buffer copies none.
  mutating func append(_ entry: inout TraceEntry) {
    if let session = entry.session, entry.explains { chain(entry, of: session) }
    if entries.count < capacity {
      entries.append(entry)
    } else {
      swap(&entries[place(of: lastNumber)], &entry)
    }
  }

  private mutating func chain(_ entry: TraceEntry, of session: SessionIdentifier) {
    var entry = entry
    // A reader of the chain knows the session, and names can be long.
    entry.name = nil
    if chains.index(forKey: session) == nil { chains[session] = Chain() } else { unlink(session) }
    linkAsNewest(session)
    if chains[session]?.append(entry) == true { chainedCount += 1 }
    while chainedCount > chainedLimit, let oldest { forget(oldest) }
  }

  private mutating func unlink(_ session: SessionIdentifier) {
    let (older, newer) = (chains[session]?.older, chains[session]?.newer)
    if let older { chains[older]?.newer = newer } else { oldest = newer }
    if let newer { chains[newer]?.older = older } else { newest = older }
  }

  private mutating func linkAsNewest(_ session: SessionIdentifier) {
    chains[session]?.older = newest
    chains[session]?.newer = nil
    if let newest { chains[newest]?.newer = session } else { oldest = session }
    newest = session
  }

  mutating func observe(_ connection: ConnectionIdentifier, deliveries: Bool) {
    observers.insert(connection)
    if deliveries { deliveryObservers.insert(connection) }
  }

  mutating func cease(_ connection: ConnectionIdentifier) {
    observers.remove(connection)
    deliveryObservers.remove(connection)
  }

  /// Whether each observer of an event has an entry of its own.
  var showsEachDelivery: Bool { !deliveryObservers.isEmpty }

  /// The stored entries after a number, in order: the newest ones that fit into `byteCount` bytes.
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

  private func entry(_ number: Int64) -> TraceEntry { entries[place(of: number)] }

  private func place(of number: Int64) -> Int { Int((number - 1 - skipped) % Int64(capacity)) }

  func chain(of session: SessionIdentifier) -> [TraceEntry] { chains[session]?.entries ?? [] }

  mutating func forget(_ session: SessionIdentifier) {
    guard let count = chains[session]?.entries.count else { return }
    unlink(session)
    chains[session] = nil
    chainedCount -= count
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    let first = lastNumber - Int64(entries.count) + 1
    if entries.count != min(capacity, Int(lastNumber - skipped))
      || !(first..<lastNumber + 1).allSatisfy({ entry($0).number == $0 })
    {
      flaws.append("the trace does not have its newest entries in order")
    }
    if chains.values.reduce(0, { $0 + $1.entries.count }) != chainedCount {
      flaws.append("the number of chained entries is wrong")
    }
    if chainedCount > chainedLimit { flaws.append("the chains have too many entries") }
    for (session, chain) in chains where !chain.isValid {
      flaws.append("the chain of \(session) is empty, too long or not in order")
    }
    if !areLinksValid { flaws.append("the links of the chains differ from the chains") }
    return flaws
  }

  /// Whether the links lead through every chain once, in order.
  private var areLinksValid: Bool {
    var (before, next) = (SessionIdentifier?.none, oldest)
    var numbers: [Int64] = []
    while let session = next, numbers.count < chains.count {
      guard let chain = chains[session], chain.older == before else { return false }
      numbers.append(chain.entries.last?.number ?? 0)
      (before, next) = (session, chain.newer)
    }
    return next == nil && before == newest && numbers.count == chains.count
      && numbers.isStrictlyRising
  }
}

/// The entries that explain the state of a session, and the next older and newer chain.
private struct Chain {
  var entries: [TraceEntry] = []
  var older: SessionIdentifier?
  var newer: SessionIdentifier?

  /// Appends an entry. A full chain drops its oldest one. Returns whether the chain became longer.
  ///
  /// A method of `TraceBuffer` that mutates an element of `chains` would keep a second reference to
  /// the dictionary. Then the mutation copies all of it.
  mutating func append(_ entry: TraceEntry) -> Bool {
    let isFull = entries.count == TraceBuffer.chainLength
    if isFull { entries.removeFirst() }
    entries.append(entry)
    return !isFull
  }

  /// Whether the chain has entries, in order and not too many.
  var isValid: Bool {
    !entries.isEmpty && entries.count <= TraceBuffer.chainLength
      && entries.map(\.number).isStrictlyRising
  }
}
