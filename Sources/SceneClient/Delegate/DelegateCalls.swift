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
    let cancelled = state.withLock { state -> Task<Void, Never>? in
      let task = Task(executorPreference: executor) {
        let value = await call()
        self.state.withLock { if $0.call?.identity == ObjectIdentifier(answer) { $0.call = nil } }
        answer.complete(value)
      }
      let call = Call(identity: ObjectIdentifier(answer), task: task, limit: limit) {
        answer.complete(nil)
      }
      state.call = call
      return state.ending.map(call.isCancelled) == true ? task : nil
    }
    // Without the lock, because the handlers of the task can call the client.
    cancelled?.cancel()
  }

  /// Cancels the current call and later ones, except those that an ending does not cancel. Returns
  /// how to abandon the current call, which lets the queue continue.
  @discardableResult
  func cancel(_ ending: Ending) -> (@Sendable () -> Void)? {
    let call = state.withLock { state in
      state.ending = max(state.ending ?? ending, ending)
      return state.call.flatMap { $0.isCancelled(by: ending) ? $0 : nil }
    }
    call?.task.cancel()
    return call?.abandon
  }
}
