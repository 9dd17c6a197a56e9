import ScenePlatform

/// Queues of work, one for each key: what is in one queue is done one after the other, in order;
/// the queues do not wait for each other.
///
/// A thread is borrowed only while there is something to do, so any number of idle scenes costs
/// nothing, and work that takes long, or never ends, holds up its own queue alone.
final class OrderedQueues<Key: Hashable & Sendable>: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    /// A queue is here while it has work or is working.
    var queues: [Key: Line<Work>] = [:]
    /// Queues with work that no thread has taken.
    var ready = Line<Key>()
    var idleThreads = 0
    var isClosed = false
  }

  /// How many threads stay when there is nothing to do.
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

  /// Waits until nothing is left to do but in one queue, up to a time of the monotonic clock.
  func waitUntilIdle(but key: Key, until deadline: Int64) {
    _ = state.wait(until: deadline) { state -> Bool? in
      state.queues.keys.allSatisfy { $0 == key } ? true : nil
    }
  }

  /// Drops what has not begun; threads end when they are done with what has.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.queues = [:]
      state.ready = Line()
    }
  }

  /// When the system has no thread left, one that is busy takes the work when it is done.
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

/// What waits, first come, first served. However long it is, the first is taken from the end of an
/// array: what came since the last turn is turned round when nothing else is left.
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
