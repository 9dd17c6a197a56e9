import SceneModel

/// Requests whose reply is due when something outside the rules has happened.
struct Completions {
  enum Key: Hashable {
    /// The virtual clock has reached the next requested time.
    case clock
    /// The event loop has read the manifest again.
    case manifest
    /// The event loop has made the directory of a session.
    case dataDirectory(SessionIdentifier)
    case disk(isFull: Bool)
    /// No callback is pending.
    case settled
  }

  struct Waiter: Equatable {
    let requester: Requester
    /// The processes whose scenes need not settle.
    let ignoredProcesses: Set<Int64>
    fileprivate let number: UInt64
  }

  private var waiters: [Key: [Waiter]] = [:]
  private var lastNumber: UInt64 = 0

  mutating func wait(
    for key: Key, _ requester: Requester, ignoring processes: Set<Int64> = []
  ) {
    lastNumber += 1
    waiters[key, default: []].append(
      Waiter(requester: requester, ignoredProcesses: processes, number: lastNumber))
  }

  /// Removes the waiters that the completion concerns, and returns their requesters in order.
  mutating func complete(_ key: Key, where isDue: (Waiter) -> Bool = { _ in true }) -> [Requester] {
    guard let all = waiters[key] else { return [] }
    let due = all.filter(isDue)
    let rest = all.filter { !due.contains($0) }
    waiters[key] = rest.isEmpty ? nil : rest
    return due.map(\.requester)
  }

  /// Removes the first waiter.
  mutating func completeFirst(_ key: Key) -> Requester? {
    guard let first = waiters[key]?.removeFirst() else { return nil }
    if waiters[key]?.isEmpty == true { waiters[key] = nil }
    return first.requester
  }

  /// Removes all waiters of these keys. Returns their requesters in the order in which they came.
  mutating func fail(_ keys: Key...) -> [Requester] {
    let failed = keys.flatMap { waiters.removeValue(forKey: $0) ?? [] }
    return failed.sorted { $0.number < $1.number }.map(\.requester)
  }

  /// Removes the waiters of a closed connection.
  mutating func drop(_ key: Key, of connection: ConnectionIdentifier) {
    _ = complete(key) { $0.requester.connection == connection }
  }

  func waiters(for key: Key) -> [Waiter] { waiters[key] ?? [] }
}
