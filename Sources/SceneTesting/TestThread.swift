import ScenePlatform

/// The executor of a test broker: a thread that can block, so that other tests continue.
final class TestThread: SerialExecutor {
  private let jobs = ConditionMutex(Jobs())

  private struct Jobs: Sendable {
    var waiting: [UnownedJob] = []
    var isFinished = false

    /// The next job; nil inside at the end.
    mutating func next() -> UnownedJob?? {
      if !waiting.isEmpty { return .some(waiting.removeFirst()) }
      return isFinished ? .some(nil) : nil
    }
  }

  init() throws(SystemError) {
    // The thread retains this object until `finish()`.
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

  /// Ends the thread after the enqueued jobs.
  func finish() { jobs.withLock { $0.isFinished = true } }
}
