import ScenePlatform

/// Serial queues, one for each key. The work of one queue runs in order. The queues do not wait for
/// each other.
///
/// A queue uses a thread only while it has work, so idle scenes cost nothing. Work that never ends
/// blocks only its own queue.
final class SerialQueues<Key: Hashable & Sendable>: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    /// The queues that have work or are working.
    var queues: [Key: Line<Work>] = [:]
    /// The queues with work that no thread has taken.
    var ready = Line<Key>()
    var idleThreads = 0
    var isClosed = false
  }

  /// The number of threads that stay without work.
  private static var keptThreads: Int { 2 }

  private let state = ConditionMutex(State())
  private let name: String

  init(_ name: String) { self.name = name }

  func add(to key: Key, _ work: @escaping Work) {
    let needsThread = state.withLock { state in
      guard !state.isClosed else { return false }
      if state.queues[key] != nil {
        state.queues[key]?.append(work)
        return false
      }
      state.queues[key, default: Line()].append(work)
      state.ready.append(key)
      return state.ready.count > state.idleThreads
    }
    if needsThread { startThread() }
  }

  /// Waits until all queues but one are empty, or until a time of `SystemClock.monotonic()`.
  func waitUntilIdle(but key: Key, until deadline: Int64) {
    _ = state.wait(until: deadline) { state -> Bool? in
      state.queues.keys.allSatisfy { $0 == key } ? true : nil
    }
  }

  /// Drops the work that has not begun. The threads end after their current work.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.queues = [:]
      state.ready = Line()
    }
  }

  /// If the system has no thread left, a busy thread takes the work later.
  private func startThread() {
    _ = try? Thread(name) { [self] in run() }
  }

  private func run() {
    while let (key, work) = next() {
      work()
      finish(key)
    }
  }

  private func next() -> (Key, Work)? {
    let taken = state.withLock { state -> Taken? in
      if let taken = Self.take(&state) { return taken }
      guard !state.isClosed, state.idleThreads < Self.keptThreads else { return .end }
      state.idleThreads += 1
      return nil
    }
    let outcome =
      taken
      ?? state.wait { state -> Taken? in
        guard let taken = state.isClosed ? .end : Self.take(&state) else { return nil }
        state.idleThreads -= 1
        return taken
      }
    guard case .work(let key, let work)? = outcome else { return nil }
    return (key, work)
  }

  private enum Taken: Sendable {
    case work(Key, Work)
    case end
  }

  private static func take(_ state: inout State) -> Taken? {
    guard let key = state.ready.popFirst(), let work = state.queues[key]?.popFirst() else {
      return nil
    }
    return .work(key, work)
  }

  private func finish(_ key: Key) {
    state.withLock { state in
      guard let rest = state.queues[key] else { return }
      if rest.isEmpty { state.queues[key] = nil } else { state.ready.append(key) }
    }
  }
}

/// A first-in, first-out queue. The first element is the last of `next`, so that removal is cheap;
/// `arrived` is reversed into `next` when `next` is empty.
private struct Line<Element: Sendable> {
  private var arrived: [Element] = []
  private var next: [Element] = []

  var isEmpty: Bool { count == 0 }
  var count: Int { arrived.count + next.count }

  mutating func append(_ element: Element) { arrived.append(element) }

  mutating func popFirst() -> Element? {
    if next.isEmpty {
      next = arrived.reversed()
      arrived = []
    }
    return next.popLast()
  }
}
