import ScenePlatform

/// Serial queues, one for each key. The work of one queue runs in order. The queues do not wait for
/// each other.
///
/// A queue uses a thread only while it has work, so idle scenes cost nothing. Work that never ends
/// blocks only its own queue. Each queue can be the executor of an actor: see ``QueueExecutor``.
final class SerialQueues<Key: Hashable & Sendable>: Sendable {
  typealias Work = @Sendable () -> Void
  /// Work that ends when it calls its argument, also after it has returned.
  typealias LongWork = @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void

  private enum Item: Sendable {
    case work(Work)
    case longWork(LongWork)
    /// A part of a task that runs on the executor of the queue.
    case job(UnownedJob, QueueExecutor<Key>)
  }

  private struct Queue {
    var items = Line<Item>()
    /// Jobs precede the items, because they belong to the current long work or to a request.
    var jobs = Line<Item>()
    /// Whether long work has not ended. The items wait for its end.
    var isBlocked = false
    /// The thread that runs an item or a job.
    var thread: ThreadIdentity?
    /// Whether the queue is in `ready`.
    var isReady = false

    var isIdle: Bool {
      items.isEmpty && jobs.isEmpty && !isBlocked && thread == nil && !isReady
    }

    mutating func popFirst() -> Item? {
      jobs.popFirst() ?? (isBlocked ? nil : items.popFirst())
    }

    var hasRunnable: Bool { !jobs.isEmpty || (!isBlocked && !items.isEmpty) }
  }

  private struct State {
    /// The queues that have work or are working.
    var queues: [Key: Queue] = [:]
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

  func add(to key: Key, _ work: @escaping Work) { add(.work(work), to: key) }

  /// Adds work that may suspend. The next work of the queue begins after its end.
  func addLong(to key: Key, _ work: @escaping LongWork) { add(.longWork(work), to: key) }

  /// Adds a part of a task. The task can be needed for the end of the queues, so a closed queue
  /// runs it, too.
  fileprivate func add(_ job: UnownedJob, to key: Key, for executor: QueueExecutor<Key>) {
    add(.job(job, executor), to: key)
  }

  private func add(_ item: Item, to key: Key) {
    let needsThread = state.withLock { state in
      if case .job = item {
        state.queues[key, default: Queue()].jobs.append(item)
      } else {
        guard !state.isClosed else { return false }
        state.queues[key, default: Queue()].items.append(item)
      }
      return Self.makeReady(key, &state)
    }
    if needsThread { startThread() }
  }

  /// Lets a thread take the queue if it can run something. Returns whether a thread is missing.
  private static func makeReady(_ key: Key, _ state: inout State) -> Bool {
    guard let queue = state.queues[key] else { return false }
    if queue.isIdle {
      state.queues[key] = nil
      return false
    }
    guard queue.thread == nil, !queue.isReady, queue.hasRunnable else { return false }
    state.queues[key]?.isReady = true
    state.ready.append(key)
    return state.ready.count > state.idleThreads
  }

  /// Whether the calling thread runs an item or a job of a queue.
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
      let dropped = state.queues.values.map(\.items)
      for key in state.queues.keys {
        state.queues[key]?.items = Line()
        _ = Self.makeReady(key, &state)
      }
      return dropped
    }
  }

  /// If the system has no thread left, a busy thread takes the work later.
  private func startThread() {
    _ = try? Thread(name) { [self] in run() }
  }

  private func run() {
    while let (key, item) = next() {
      switch item {
      case .work(let work): work()
      case .longWork(let work): work { [self] in endLongWork(of: key) }
      case .job(let job, let executor):
        job.runSynchronously(
          isolatedTo: executor.asUnownedSerialExecutor(),
          taskExecutor: executor.asUnownedTaskExecutor())
      }
      finish(key)
    }
  }

  private func next() -> (Key, Item)? {
    let taken = state.withLock { state -> Taken? in
      if let taken = Self.take(&state) { return taken }
      guard !state.isClosed, state.idleThreads < Self.keptThreads else { return .end }
      state.idleThreads += 1
      return nil
    }
    let outcome =
      taken
      ?? state.wait { state -> Taken? in
        guard let taken = Self.take(&state) ?? (state.isClosed ? .end : nil) else { return nil }
        state.idleThreads -= 1
        return taken
      }
    guard case .item(let key, let item)? = outcome else { return nil }
    return (key, item)
  }

  private enum Taken: Sendable {
    case item(Key, Item)
    case end
  }

  private static func take(_ state: inout State) -> Taken? {
    while let key = state.ready.popFirst() {
      state.queues[key]?.isReady = false
      guard let item = state.queues[key]?.popFirst() else {
        // The queues were closed meanwhile.
        _ = makeReady(key, &state)
        continue
      }
      state.queues[key]?.thread = .current
      if case .longWork = item { state.queues[key]?.isBlocked = true }
      return .item(key, item)
    }
    return nil
  }

  private func finish(_ key: Key) {
    state.withLock { state in
      state.queues[key]?.thread = nil
      // This thread takes the next item.
      _ = Self.makeReady(key, &state)
    }
  }

  private func endLongWork(of key: Key) {
    let needsThread = state.withLock { state in
      state.queues[key]?.isBlocked = false
      return Self.makeReady(key, &state)
    }
    if needsThread { startThread() }
  }
}

/// An executor whose jobs run on the threads of a serial queue, before its other work. As the
/// preferred executor of a task, it also runs the parts of the task that no actor isolates.
final class QueueExecutor<Key: Hashable & Sendable>: SerialExecutor, TaskExecutor {
  private let queues: SerialQueues<Key>
  private let key: Key

  init(_ queues: SerialQueues<Key>, _ key: Key) {
    self.queues = queues
    self.key = key
  }

  func enqueue(_ job: consuming ExecutorJob) {
    queues.add(UnownedJob(job), to: key, for: self)
  }

  func checkIsolated() {
    precondition(queues.isCurrent(key), "the code runs outside of the queue of its scene")
  }

  func isIsolatingCurrentContext() -> Bool? { queues.isCurrent(key) }
}

/// A first-in, first-out queue. The first element is the last of `next`, so that removal is cheap;
/// `arrived` is reversed into `next` when `next` is empty.
private struct Line<Element: Sendable>: Sendable {
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
