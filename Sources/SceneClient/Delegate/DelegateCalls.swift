import SceneModel
import Synchronization

/// The calls of a delegate, and the executor of its actor. Each call runs as a task on the queue of
/// its scene or application, and can suspend.
///
/// The jobs of the executor run before the other work of the queue. As the preferred executor of a
/// task, it also runs the parts of the task that no actor isolates.
final class DelegateCalls: SerialExecutor, TaskExecutor {
  /// The reason for the end of a delegate's calls. A later case cancels more calls.
  enum Ending: Int, Comparable {
    case stopOfClient
    case endOfScene
    case endOfClient

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  private struct State {
    var lastCall = 0
    /// The current call.
    var call: Call?
    /// The ending so far; nil while calls can begin. An ending cancels later calls, too.
    var ending: Ending?
  }

  private struct Call {
    let number: Int
    let task: Task<Void, Never>
    /// The first ending that cancels the call.
    let limit: Ending
    /// Answers without waiting for the call.
    let abandon: @Sendable () -> Void
  }

  /// The time that a cancelled call has to return.
  static let cancellationTimeout = Duration.seconds(1)

  private let queues: SerialQueues<SessionIdentifier?>
  private let session: SessionIdentifier?
  private let state = Mutex(State())

  /// The session is nil for the queue of the application.
  init(_ queues: SerialQueues<SessionIdentifier?>, _ session: SessionIdentifier?) {
    self.queues = queues
    self.session = session
  }

  // MARK: - Calls

  /// Starts a call on the queue.
  ///
  /// - Parameters:
  ///   - limit: the first ending that cancels the call.
  ///   - answer: runs once, with the answer, or with nil if the call is abandoned.
  ///   - call: the call. All its parts run on the queue, also those without isolation.
  func start<Answer: Sendable>(
    until limit: Ending, answer: @escaping @Sendable (Answer?) -> Void,
    _ call: @escaping @Sendable () async -> Answer
  ) {
    // The end of the task waits for the lock, and so finds the call.
    let cancelled = state.withLock { state -> Call? in
      state.lastCall += 1
      let number = state.lastCall
      let task = Task(executorPreference: self) {
        let value = await call()
        if self.take(number) != nil { answer(value) }
      }
      let call = Call(number: number, task: task, limit: limit) { answer(nil) }
      state.call = call
      return state.ending.flatMap { limit <= $0 ? call : nil }
    }
    if let cancelled { abandonAfterCancellation(cancelled) }
  }

  /// Starts a call without an answer. `finish` runs at its end, or when the call is abandoned.
  func start(
    until limit: Ending, finish: @escaping @Sendable () -> Void,
    _ call: @escaping @Sendable () async -> Void
  ) {
    start(until: limit, answer: { (_: Void?) in finish() }, call)
  }

  /// Cancels the current call and later ones, except those that an ending does not cancel.
  func cancel(_ ending: Ending) {
    let cancelled = state.withLock { state in
      state.ending = max(state.ending ?? ending, ending)
      return state.call.flatMap { $0.limit <= ending ? $0 : nil }
    }
    if let cancelled { abandonAfterCancellation(cancelled) }
  }

  /// Cancels a call without the lock, because the handlers of its task can call the client. A call
  /// that ignores its cancellation is abandoned, because it must not block its queue.
  private func abandonAfterCancellation(_ call: Call) {
    call.task.cancel()
    // The queue also runs this task after the end of the client.
    Task(executorPreference: self) {
      try? await Task.sleep(for: Self.cancellationTimeout)
      self.take(call.number)?.abandon()
    }
  }

  /// Removes and returns a call that has no answer.
  private func take(_ number: Int) -> Call? {
    state.withLock { state in
      guard state.call?.number == number else { return nil }
      defer { state.call = nil }
      return state.call
    }
  }

  // MARK: - Executor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queues.addJob(to: session) { [self] in
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  func checkIsolated() {
    precondition(queues.isCurrent(session), "the code runs outside of the queue of its scene")
  }

  func isIsolatingCurrentContext() -> Bool? { queues.isCurrent(session) }
}
