import ScenePlatform

/// A thread for what waits: while a test waits for processes, others go on.
final class TestThread: SerialExecutor {
  private let jobs = Monitor(Jobs())

  private struct Jobs: Sendable {
    var waiting: [UnownedJob] = []
    var isOver = false

    /// The next one; nil at the end.
    mutating func next() -> UnownedJob?? {
      if !waiting.isEmpty { return .some(waiting.removeFirst()) }
      return isOver ? .some(nil) : nil
    }
  }

  init() throws(SystemError) {
    // It holds on to this until it is over.
    _ = try Thread("scene test") { [self] in
      while case .some(let job?) = jobs.wait(for: { $0.next() }) {
        job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.waiting.append(job) }
  }

  /// What is enqueued still is done, and then the thread ends.
  func finish() { jobs.withLock { $0.isOver = true } }
}
