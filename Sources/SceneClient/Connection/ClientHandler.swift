package import SceneModel

/// Handles callbacks and changes from the broker.
package protocol ClientHandler: AnyObject, Sendable {
  /// Runs one callback at a time for each session, in order. The next one begins after `answer`,
  /// which any thread can call. With nil the broker receives no answer.
  func handle(_ callback: Callback, answer: @escaping @Sendable (CallAnswer?) -> Void)
  /// The end of a scene follows in its queue, behind a call that may be suspended. Returns work
  /// that cancels that call. Runs under the client's lock, and must not call the client; the
  /// work runs without the lock.
  func willEnd(_ session: SessionIdentifier) -> (@Sendable () -> Void)?
  /// Cancels the suspended calls of all scenes, because the client stops.
  func willStop()
  /// The connection has ended. Cancels the calls that still run, also those of the end of a scene.
  func cancelCalls()
  /// The client has ended. Runs after all other work, or when that work exceeds its time.
  func didEnd(_ error: SceneError?)
  /// Tells the delegate of a classic application, in the session's order. The next callback begins
  /// after `finish`, which any thread can call.
  func didReceive(
    _ notice: SceneApplication.Notice, in session: SessionIdentifier,
    finish: @escaping @Sendable () -> Void)
  /// Runs in the session's order. The next callback begins after `finish`, which any thread can
  /// call.
  func couldNotSave(
    _ activity: Activity?, of session: SessionIdentifier, _ error: SceneError,
    finish: @escaping @Sendable () -> Void)
  /// Handles one message to the application delegate at a time, in order. The next one begins after
  /// `finish`, which any thread can call.
  func handle(_ message: DelegateMessage, finish: @escaping @Sendable () -> Void)
  /// Runs under the client's lock, and must not call the client.
  func didSave(_ activity: Activity?, of session: SessionIdentifier)
  /// Runs one change at a time, in order.
  func didReceive(_ update: ClientUpdate)
  /// Runs in the order of the scene of the observation, or of the application.
  func didReceive(_ update: ObservationUpdate, of source: EventSource)
}

extension ClientHandler {
  package func didSave(_ activity: Activity?, of session: SessionIdentifier) {}

  // An application delegate has no scenes and observes no topics.

  package func handle(_ callback: Callback, answer: @escaping @Sendable (CallAnswer?) -> Void) {
    answer(nil)
  }
  package func willEnd(_ session: SessionIdentifier) -> (@Sendable () -> Void)? { nil }
  package func willStop() {}
  package func cancelCalls() {}
  package func didEnd(_ error: SceneError?) {}
  package func didReceive(
    _ notice: SceneApplication.Notice, in session: SessionIdentifier,
    finish: @escaping @Sendable () -> Void
  ) { finish() }
  package func couldNotSave(
    _ activity: Activity?, of session: SessionIdentifier, _ error: SceneError,
    finish: @escaping @Sendable () -> Void
  ) { finish() }

  // Another client is no application delegate.

  package func handle(_ message: DelegateMessage, finish: @escaping @Sendable () -> Void) {
    finish()
  }
  package func didReceive(_ update: ObservationUpdate, of source: EventSource) {}
}
