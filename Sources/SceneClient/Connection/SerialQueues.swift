import ScenePlatform

/// Serial queues, one for each key. The work of one queue runs in order. The queues do not wait for
/// each other.
///
/// A queue uses a thread only while it has work, so idle scenes cost nothing. Work that never ends
/// blocks only its own queue. ``DelegateCalls`` is the executor of a queue.
final class SerialQueues<Key: Hashable & Sendable>: Sendable {
  typealias Item = @Sendable () -> Void

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

    var canRun: Bool { !jobs.isEmpty || (!isBlocked && !work.isEmpty) }

    mutating func popFirst() -> Item? {
      if let job = jobs.popFirst() { return job }
      guard !isBlocked, let item = work.popFirst() else { return nil }
      isBlocked = true
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
  }

  /// The number of threads that stay without work.
  private static var keptThreads: Int { 2 }

  private let state = ConditionMutex(State())
  private let name: String

  init(_ name: String) { self.name = name }

  func add(to key: Key, _ work: @escaping Item) {
    addLong(to: key) { finish in
      work()
      finish()
    }
  }

  /// Adds work that ends when it calls its argument, perhaps after it has returned. The next work
  /// of the queue begins after its end.
  func addLong(
    to key: Key, _ work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
  ) {
    change(key) { queue, isClosed in
      guard !isClosed else { return }
      queue.work.append { [self] in
        work { [self] in change(key) { queue, _ in queue.isBlocked = false } }
      }
    }
  }

  /// Adds a part of a task. The task can be needed for the end of the queues, so a closed queue
  /// runs it, too.
  func addJob(to key: Key, _ job: @escaping Item) {
    change(key) { queue, _ in queue.jobs.append(job) }
  }

  /// Changes a queue, and lets a thread take it if it can run something.
  private func change(_ key: Key, _ body: (inout Queue, _ isClosed: Bool) -> Void) {
    let needsThread = state.withLock { state in
      var queue = state.queues[key] ?? Queue()
      body(&queue, state.isClosed)
      let isReady = queue.canRun && !queue.isTaken
      if isReady {
        queue.isTaken = true
        state.ready.append(key)
      }
      state.queues[key] = queue.isTaken || queue.isBlocked ? queue : nil
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
      while let item = nextItem(of: key) { item() }
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
      var queue = state.queues[key] ?? Queue()
      let item = queue.popFirst()
      queue.isTaken = item != nil
      queue.thread = item == nil ? nil : .current
      state.queues[key] = queue.isTaken || queue.isBlocked ? queue : nil
      return item
    }
  }

  /// A first-in, first-out queue. The first element is the last of `next`, so that removal is
  /// cheap; `arrived` is reversed into `next` when `next` is empty.
  private struct Line: Sendable {
    private var arrived: [Item] = []
    private var next: [Item] = []

    var isEmpty: Bool { arrived.isEmpty && next.isEmpty }

    mutating func append(_ item: @escaping Item) { arrived.append(item) }

    mutating func popFirst() -> Item? {
      if next.isEmpty {
        next = arrived.reversed()
        arrived = []
      }
      return next.popLast()
    }
  }
}
