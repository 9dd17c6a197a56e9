import SceneModel
import Synchronization

/// The calls of a delegate. Each runs as a task on the queue of its scene or application, and can
/// suspend.
final class DelegateCalls: Sendable {
  /// The reason for the end of a delegate's calls. A later case cancels more calls.
  enum Ending: Int, Comparable {
    case stopOfClient
    case endOfScene
    case endOfClient

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  private struct State {
    /// The current call.
    var call: Call?
    /// The ending so far; nil while calls can begin. An ending cancels later calls, too.
    var ending: Ending?
  }

  private struct Call {
    let identity: ObjectIdentifier
    let task: Task<Void, Never>
    /// The first ending that cancels the call.
    let limit: Ending
    /// Answers without waiting for the call.
    let abandon: @Sendable () -> Void
  }

  /// The time that a cancelled call has to return.
  static let cancellationTimeout = Duration.seconds(1)

  let executor: QueueExecutor<SessionIdentifier?>
  private let state = Mutex(State())

  init(on executor: QueueExecutor<SessionIdentifier?>) { self.executor = executor }

  /// Starts a call on the queue. Its first part runs before the other work of the queue.
  ///
  /// - Parameters:
  ///   - answer: receives the answer, or nil if the call is abandoned.
  ///   - limit: the first ending that cancels the call.
  ///   - call: the call. All its parts run on the queue, also those without isolation.
  func start<Answer: Sendable>(
    _ answer: OneShot<Answer?>, until limit: Ending,
    _ call: @escaping @Sendable () async -> Answer
  ) {
    // The end of the task waits for the lock, and so finds the call.
    let cancelled = state.withLock { state -> Call? in
      let task = Task(executorPreference: executor) {
        let value = await call()
        self.state.withLock { if $0.call?.identity == ObjectIdentifier(answer) { $0.call = nil } }
        answer.complete(value)
      }
      let call = Call(identity: ObjectIdentifier(answer), task: task, limit: limit) {
        answer.complete(nil)
      }
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
    start(OneShot(orElse: nil) { _ in finish() }, until: limit, call)
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
    Task(executorPreference: executor) {
      try? await Task.sleep(for: Self.cancellationTimeout)
      call.abandon()
    }
  }
}
