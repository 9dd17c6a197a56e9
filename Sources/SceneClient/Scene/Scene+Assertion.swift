import SceneModel
import ScenePlatform

/// Work that a scene finishes in the background.
extension Scene {
  /// Prevents a reclaim of the scene in the background until the assertion ends. Corresponds to
  /// `UIApplication.beginBackgroundTask(withName:expirationHandler:)`.
  ///
  /// A loss of the connection to the broker ends the assertion, too; begin another one if
  /// ``SceneApplication/connectionStates`` has a loss.
  ///
  /// - Parameters:
  ///   - name: the purpose, for the user's information: 1 byte to 1 KiB.
  ///   - duration: the maximum duration, 0 s to 86,400 s (a day).
  ///   - onExpiration: called once when the duration has passed, unless ``Assertion/end()`` was
  ///     called or the scene has ended before. A loss of the connection does not call it earlier.
  ///     It runs one at a time with the delegate's calls.
  /// - Returns: The assertion, which `end` ends.
  /// - Throws: ``SceneError/Code/invalidParams`` for an invalid duration or an empty name,
  ///   ``SceneError/Code/tooLarge`` for a longer name, ``SceneError/Code/tooMany`` if the scene has
  ///   64 assertions, ``SceneError/Code/sessionNotHeld`` if the scene has ended,
  ///   ``SceneError/Code/connectionLost`` if the broker was lost before its reply, and the common
  ///   errors of ``SceneError``.
  public func beginAssertion(
    named name: String, for duration: Duration, onExpiration: (@Sendable () -> Void)? = nil
  ) async throws(SceneError) -> Assertion {
    let request = BeginAssertion(
      session: identifier, name: name, seconds: duration / .seconds(1))
    let reply = try await client.reply(to: request)
    let expiration = ConditionMutex(onExpiration)
    let alarm = onExpiration.map { _ in
      Task(executorPreference: client.calls(of: identifier)) { [weak self] in
        try? await Task.sleep(for: duration)
        guard let self else { return }
        client.enqueue(identifier) { [self] in
          let onExpiration = expiration.withLock { $0.take() }
          if disconnectReason == nil { onExpiration?() }
        }
      }
    }
    return Assertion(scene: self, number: reply.assertion, alarm: alarm, expiration: expiration)
  }

  /// Prevents a reclaim of a scene until ``end()``, its duration, a loss of the connection, or the
  /// end of the scene.
  ///
  /// Corresponds to `UIBackgroundTaskIdentifier`.
  public struct Assertion: Sendable {
    fileprivate let scene: Scene
    fileprivate let number: Int64
    /// Calls `onExpiration`.
    fileprivate let alarm: Task<Void, Never>?
    /// `onExpiration`, until it runs or the assertion ends.
    fileprivate let expiration: ConditionMutex<(@Sendable () -> Void)?>

    /// Ends the assertion. A second call has no effect. Corresponds to
    /// `UIApplication.endBackgroundTask(_:)`.
    public func end() {
      // The closure is released without the lock.
      _ = expiration.withLock { $0.take() }
      alarm?.cancel()
      // Without a reply: a cancelled task must end the assertion too.
      scene.client.request(EndAssertion(assertion: number))
    }
  }
}
