/// Decides for the whole application, in its own process. Corresponds to `UIApplicationDelegate`.
///
/// Every method is optional. It can be synchronous as in UIKit, or `async`, `throws` or both. The
/// methods run one at a time, on one queue of the library. A call has 5 s, unless the manifest sets
/// another time. After that time the broker continues without the answer.
///
/// `applicationDelegate` in the manifest, or `scened --application-delegate`, sets the delegate's
/// part. By default it is `optional`. With `builtIn` the broker launches the delegate and tells it
/// of scenes, but does not ask for configurations, and does not report discards.
public protocol ApplicationDelegate: ApplicationLifeCycle {
  /// Chooses the configuration of a new session. The broker asks once for each session, when it is
  /// made. Corresponds to
  /// `UIApplicationDelegate.application(_:configurationForConnecting:options:)`.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - connectingSceneSession: the new session. Its ``SceneSession/userInfo`` can be set.
  ///   - options: the reason of the session.
  /// - Returns: The configuration. A configuration with only a name is that of the manifest, or
  ///   the first of the role if the manifest has none. A configuration without a name is the first
  ///   of the role, with the given members. The unchanged configuration of the session leaves the
  ///   choice to the manifest.
  /// - Throws: Any error leaves the choice to the manifest.
  func application(
    _ application: SceneApplication,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) async throws -> SceneConfiguration
  /// The broker has discarded sessions. Data of these sessions can be removed. Corresponds to
  /// `UIApplicationDelegate.application(_:didDiscardSceneSessions:)`.
  ///
  /// The call may be repeated if this process or the broker ends before it returns.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - sceneSessions: the sessions, each with its last activity.
  /// - Throws: Any error is logged, and repeats the report after the next launch.
  func application(
    _ application: SceneApplication, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) async throws
  /// A client has connected the scene of a session. Corresponds to
  /// `UIScene.willConnectNotification`.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - persistentIdentifier: the identifier of the session.
  ///   - reason: the reason of the connection.
  /// - Throws: Any error is logged.
  func application(
    _ application: SceneApplication, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  ) async throws
  /// A scene has ended in any client. Its session may connect again. Corresponds to
  /// `UIScene.didDisconnectNotification`.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - persistentIdentifier: the identifier of the session.
  ///   - reason: the reason of the disconnection.
  /// - Throws: Any error is logged.
  func application(
    _ application: SceneApplication, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  ) async throws
  /// The process of a lost scene has ended. The broker had launched it and knows its exit. Follows
  /// ``application(_:sceneDidDisconnect:reason:)``.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - persistentIdentifier: the identifier of the session.
  ///   - exit: the status or the signal.
  /// - Throws: Any error is logged.
  func application(
    _ application: SceneApplication, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  ) async throws
}

extension ApplicationDelegate {
  public func application(
    _ application: SceneApplication,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) async throws -> SceneConfiguration { connectingSceneSession.configuration }
  public func application(
    _ application: SceneApplication, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) async throws {}
  public func application(
    _ application: SceneApplication, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  ) async throws {}
  public func application(
    _ application: SceneApplication, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  ) async throws {}
  public func application(
    _ application: SceneApplication, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  ) async throws {}
}
