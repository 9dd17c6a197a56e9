import SceneModel

/// Requests whose reply is due when a condition is met: the event loop has done its part, or the
/// application is settled.
///
/// The type also has the signals that the event loop will send, because their replies are due with
/// their outcomes.
///
/// - Each condition has its waiters in the order in which they came, and at least one.
struct ConditionWaiters {
  enum Condition: Hashable {
    /// The virtual clock has reached the next requested time.
    case clock
    /// The event loop has read the manifest again.
    case manifest
    /// The event loop has checked the program that replaces this one.
    case upgrade
    /// The event loop has measured for a step against a shortage of memory.
    case pressureStep
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

  private var waiters: [Condition: [Waiter]] = [:]
  private var lastNumber: UInt64 = 0
  /// The signals that the event loop is to send, in the order of its answers.
  private var signals: [PendingSignal] = []

  mutating func wait(
    for condition: Condition, _ requester: Requester, ignoring processes: Set<Int64> = []
  ) {
    lastNumber += 1
    waiters[condition, default: []].append(
      Waiter(requester: requester, ignoredProcesses: processes, number: lastNumber))
  }

  /// The condition is met. Removes the waiters that are due, and returns their requesters in order.
  mutating func complete(
    _ condition: Condition, where isDue: (Waiter) -> Bool = { _ in true }
  ) -> [Requester] {
    guard let all = waiters[condition] else { return [] }
    let due = all.filter(isDue)
    let rest = all.filter { !due.contains($0) }
    waiters[condition] = rest.isEmpty ? nil : rest
    return due.map(\.requester)
  }

  /// Removes the first waiter.
  mutating func completeFirst(_ condition: Condition) -> Requester? {
    guard let first = waiters[condition]?.removeFirst() else { return nil }
    if waiters[condition]?.isEmpty == true { waiters[condition] = nil }
    return first.requester
  }

  /// Removes all waiters of these conditions. Returns their requesters in the order in which they
  /// came.
  mutating func fail(_ conditions: Condition...) -> [Requester] {
    let failed = conditions.flatMap { waiters.removeValue(forKey: $0) ?? [] }
    return failed.sorted { $0.number < $1.number }.map(\.requester)
  }

  /// Removes the waiters of a closed connection.
  mutating func drop(_ condition: Condition, of connection: ConnectionIdentifier) {
    _ = complete(condition) { $0.requester.connection == connection }
  }

  subscript(condition: Condition) -> [Waiter] { waiters[condition] ?? [] }

  // MARK: - Signals

  /// The event loop is to send this signal.
  mutating func add(_ signal: PendingSignal) { signals.append(signal) }

  /// Removes the oldest signal, whose outcome is known.
  mutating func completeSignal() -> PendingSignal? {
    signals.isEmpty ? nil : signals.removeFirst()
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    for (condition, all) in waiters {
      if all.isEmpty { flaws.append("the condition \(condition) has no waiter") }
      let numbers = all.map(\.number)
      if !numbers.isStrictlyRising { flaws.append("the waiters for \(condition) are not in order") }
      if numbers.contains(where: { $0 > lastNumber }) {
        flaws.append("a waiter for \(condition) has a number beyond the last one")
      }
    }
    return flaws
  }
}

/// A signal that the event loop is to send.
struct PendingSignal: Equatable {
  let session: SessionIdentifier
  let process: ClientProcess
  let signal: String
  let sender: ClientReference
  let requester: Requester
}
