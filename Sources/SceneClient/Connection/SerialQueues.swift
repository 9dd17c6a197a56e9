import ScenePlatform

/// Serial queues, one for each key. The work of one queue runs in order. The queues do not wait for
/// each other.
///
/// A queue uses a thread only while it has work, so idle scenes cost nothing. Work that never ends
/// blocks only its own queue. ``DelegateCalls`` is the executor of a queue.
final class SerialQueues<Key: Hashable & Sendable>: Sendable {
  private struct Item: Sendable {
    /// Whether the next work waits for an end after the return.
    var isLong = false
    let run: @Sendable () -> Void
  }

  private struct Queue {
    var work = Line()
    /// Jobs precede the work, because they belong to the current work or to a request.
    var jobs = Line()
    /// Whether work has not ended. The next work waits for its end.
    var isBlocked = false
    /// Whether the queue is in `ready`, or a thread runs it.
    var isTaken = false
    /// The thread that runs the queue.
    var thread: ThreadIdentity?

    /// Work that can run makes a queue taken.
    var isIdle: Bool { !isTaken && !isBlocked }

    var canRun: Bool { !jobs.isEmpty || (!isBlocked && !work.isEmpty) }

    mutating func popFirst() -> Item? {
      if let job = jobs.popFirst() { return job }
      guard !isBlocked, let item = work.popFirst() else { return nil }
      isBlocked = item.isLong
      return item
    }
  }

  private struct State {
    /// The queues that have work or are working.
    var queues: [Key: Queue] = [:]
    /// The queues with work that no thread has taken.
    var ready: [Key] = []
    var idleThreads = 0
    var isClosed = false

    /// Changes a queue in place: a copy would copy its work. Forgets a queue without work.
    mutating func change<Result>(_ key: Key, _ body: (inout Queue) -> Result) -> Result {
      defer { if queues[key]?.isIdle == true { queues[key] = nil } }
      return body(&queues[key, default: Queue()])
    }
  }

  /// The number of threads that stay without work.
  private static var keptThreads: Int { 2 }

  private let state = ConditionMutex(State())
  private let name: String

  init(_ name: String) { self.name = name }

  func add(to key: Key, _ work: @escaping @Sendable () -> Void) { add(Item(run: work), to: key) }

  /// Adds work that ends when it calls its argument, perhaps after it has returned. The next work
  /// of the queue begins after its end.
  func addLong(
    to key: Key, _ work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    let item = Item(isLong: true) { [self] in
      work { [self] in change(key) { queue, _ in queue.isBlocked = false } }
    }
    add(item, to: key)
  }

  private func add(_ item: Item, to key: Key) {
    change(key) { queue, isClosed in if !isClosed { queue.work.append(item) } }
  }

  /// Adds a part of a task. The task can be needed for the end of the queues, so a closed queue
  /// runs it, too.
  func addJob(to key: Key, _ job: @escaping @Sendable () -> Void) {
    change(key) { queue, _ in queue.jobs.append(Item(run: job)) }
  }

  /// Changes a queue, and lets a thread take it if it can run something.
  private func change(_ key: Key, _ body: (inout Queue, _ isClosed: Bool) -> Void) {
    let needsThread = state.withLock { state in
      let isClosed = state.isClosed
      let isReady = state.change(key) { queue in
        body(&queue, isClosed)
        let isReady = queue.canRun && !queue.isTaken
        if isReady { queue.isTaken = true }
        return isReady
      }
      if isReady { state.ready.append(key) }
      return isReady && state.ready.count > state.idleThreads
    }
    // If the system has no thread left, a busy thread takes the work later.
    if needsThread { _ = try? Thread(name) { [self] in run() } }
  }

  /// Whether the calling thread runs an item of a queue.
  func isCurrent(_ key: Key) -> Bool {
    state.withLock { $0.queues[key]?.thread == ThreadIdentity.current }
  }

  /// Waits until all queues are empty. Returns false after a time without success.
  @discardableResult
  func waitUntilIdle(for duration: Duration) -> Bool {
    let deadline = SystemClock.monotonic() + duration.nanoseconds
    return state.wait(until: deadline) { $0.queues.isEmpty ? true : nil } ?? false
  }

  /// Drops the work that has not begun. The threads end after their current work.
  func close() {
    // The work is released without the lock: its captures may call the queues.
    _ = state.withLock { state in
      state.isClosed = true
      defer { for key in state.queues.keys { state.queues[key]?.work = Line() } }
      return state.queues.values.map(\.work)
    }
  }

  private func run() {
    while let key = nextQueue() {
      while let item = nextItem(of: key) { item.run() }
    }
  }

  /// Waits for a queue that can run. Nil at the end of the calling thread.
  private func nextQueue() -> Key? {
    var isIdle = false
    let next = state.wait { state -> Key?? in
      if state.ready.isEmpty, !state.isClosed, isIdle || state.idleThreads < Self.keptThreads {
        if !isIdle { state.idleThreads += 1 }
        isIdle = true
        return nil
      }
      if isIdle { state.idleThreads -= 1 }
      return state.ready.isEmpty ? .some(nil) : state.ready.removeFirst()
    }
    return next ?? nil
  }

  /// Nil if the queue can run nothing. Another thread can take the queue then.
  private func nextItem(of key: Key) -> Item? {
    state.withLock { state in
      state.change(key) { queue in
        let item = queue.popFirst()
        queue.isTaken = item != nil
        queue.thread = item == nil ? nil : .current
        return item
      }
    }
  }

  /// A first-in, first-out queue. The first element is the last of `next`, so that removal is
  /// cheap; `arrived` is reversed into `next` when `next` is empty.
  private struct Line: Sendable {
    private var arrived: [Item] = []
    private var next: [Item] = []

    var isEmpty: Bool { arrived.isEmpty && next.isEmpty }

    mutating func append(_ item: Item) { arrived.append(item) }

    mutating func popFirst() -> Item? {
      if next.isEmpty {
        next = arrived.reversed()
        arrived = []
      }
      return next.popLast()
    }
  }
}
