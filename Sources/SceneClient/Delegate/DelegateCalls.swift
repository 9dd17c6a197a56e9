import SceneModel
import Synchronization

/// The calls of a delegate. Each runs as a task on the queue of its scene or application, and can
/// suspend.
final class DelegateCalls: Sendable {
  /// The reason for the end of a delegate's calls. A later case cancels more calls.
  enum Ending: Int, Comparable {
    case stopOfClient
    case endOfScene

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
    /// The first ending that cancels the call; nil if none does.
    let limit: Ending?
    /// Answers without waiting for the call.
    let abandon: @Sendable () -> Void

    func isCancelled(by ending: Ending) -> Bool { limit.map { $0 <= ending } ?? false }
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
  ///   - limit: what cancels the call; nil if nothing does.
  ///   - call: the call. All its parts run on the queue, also those without isolation.
  func start<Answer: Sendable>(
    _ answer: OneShot<Answer?>, until limit: Ending?,
    _ call: @escaping @Sendable () async -> Answer
  ) {
    // Under the lock, which the end of the task waits for.
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
      return state.ending.map(call.isCancelled) == true ? call : nil
    }
    cancelled.map(cancel)
  }

  /// Cancels the current call and later ones, except those that an ending does not cancel.
  func cancel(_ ending: Ending) {
    let call = state.withLock { state in
      state.ending = max(state.ending ?? ending, ending)
      return state.call.flatMap { $0.isCancelled(by: ending) ? $0 : nil }
    }
    call.map(cancel)
  }

  /// Cancels a call without the lock, because the handlers of its task can call the client. A call
  /// that ignores its cancellation is abandoned, because it must not block its queue.
  private func cancel(_ call: Call) {
    call.task.cancel()
    // The queue runs this task also after the end of the client.
    Task(executorPreference: executor) {
      try? await Task.sleep(for: Self.cancellationTimeout)
      call.abandon()
    }
  }
}
