import SceneModel

/// Receives the life cycle of one scene. Corresponds to `UISceneDelegate` and
/// `UIWindowSceneDelegate`.
///
/// Every method is optional. It can be synchronous as in UIKit, or `async`, `throws` or both. The
/// calls of one scene run one after the other, on threads of the library; scenes do not wait for
/// each other. Each scene has its own delegate. The library uses a delegate only in these calls, in
/// ``Scene/perform(as:_:)`` and in ``Scene/observe(_:as:onGap:_:)``.
///
/// By default a delegate is not isolated to an actor, and reaches the main actor with
/// `MainActor.run`. The calls of a `@MainActor` class run on the main actor.
///
/// While a call is suspended, the other calls of its scene wait. The task of the call is cancelled
/// when the scene ends, or when the application stops. The calls that lead a scene to its end are
/// not cancelled by a stop.
///
/// A call has 5 s, and the connection has 20 s; the manifest can change both.
/// ``Scene/extendTime(by:)`` extends the time. The broker disconnects a scene that exceeds it, as
/// ``Scene/DisconnectReason/watchdog``. Only `stateRestorationActivity` is abandoned instead.
public protocol SceneDelegate: AnyObject, SendableMetatype {
  /// The scene connects and is not visible yet. Corresponds to
  /// `UISceneDelegate.scene(_:willConnectTo:options:)`.
  ///
  /// An activity in the options takes precedence over the saved activity of the session.
  ///
  /// The connection has 20 s by default.
  ///
  /// - Parameters:
  ///   - scene: the new scene.
  ///   - session: the session of the scene, with its saved state.
  ///   - options: the reason and the content of the connection.
  /// - Throws: Any error refuses the scene. ``sceneDidDisconnect(_:)`` does not follow.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) async throws
  /// The scene will become visible. Corresponds to `UISceneDelegate.sceneWillEnterForeground(_:)`.
  ///
  /// - Parameter scene: the scene; its state is still `background`.
  /// - Throws: Any error is logged, and the scene continues.
  func sceneWillEnterForeground(_ scene: Scene) async throws
  /// The scene takes input. Corresponds to `UISceneDelegate.sceneDidBecomeActive(_:)`.
  ///
  /// - Parameter scene: the scene; its state is `foregroundActive`.
  /// - Throws: Any error is logged, and the scene continues.
  func sceneDidBecomeActive(_ scene: Scene) async throws
  /// The scene will stop taking input: it is on the way to the background, or interrupted.
  /// Corresponds to `UISceneDelegate.sceneWillResignActive(_:)`.
  ///
  /// - Parameter scene: the scene; its state is still `foregroundActive`.
  /// - Throws: Any error is logged, and the scene continues.
  func sceneWillResignActive(_ scene: Scene) async throws
  /// The scene is no longer visible. The broker may disconnect it from now on. Corresponds to
  /// `UISceneDelegate.sceneDidEnterBackground(_:)`.
  ///
  /// - Parameter scene: the scene; its state is `background`.
  /// - Throws: Any error is logged, and the scene continues.
  func sceneDidEnterBackground(_ scene: Scene) async throws
  /// Returns the activity to save, whenever the scene has entered the background. Corresponds to
  /// `UISceneDelegate.stateRestorationActivity(for:)`.
  ///
  /// By default, the scene's ``Scene/userActivity``, unless the broker refused it, or
  /// ``Scene/save(_:)`` saved another activity after its assignment.
  ///
  /// - Parameter scene: the scene.
  /// - Returns: The activity, at most 256 KiB by default; nil leaves the saved one.
  /// - Throws: Any error is logged, and leaves the saved activity.
  func stateRestorationActivity(for scene: Scene) async throws -> UserActivity?
  /// The scene has ended. Its session may connect again with a new scene. Corresponds to
  /// `UISceneDelegate.sceneDidDisconnect(_:)`.
  ///
  /// - Parameter scene: the scene; ``Scene/disconnectReason`` has the reason.
  /// - Throws: Any error is logged.
  func sceneDidDisconnect(_ scene: Scene) async throws
  /// An activity will arrive; its type is known before. Corresponds to
  /// `UISceneDelegate.scene(_:willContinueUserActivityWithType:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivityType: the type of the activity.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) async throws
  /// An activity arrives that the connected scene continues. Corresponds to
  /// `UISceneDelegate.scene(_:continue:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivity: the activity.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, continue userActivity: UserActivity) async throws
  /// The broker has saved the activity that the scene returned. The library does not call this
  /// method for an unchanged activity. Corresponds to `UISceneDelegate.scene(_:didUpdate:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivity: the saved activity.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) async throws
  /// URLs arrive that the connected scene opens. Corresponds to
  /// `UISceneDelegate.scene(_:openURLContexts:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - urlContexts: the URLs, with their options.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) async throws
  /// The user chose a shortcut for the scene. Corresponds to
  /// `UIWindowSceneDelegate.windowScene(_:performActionFor:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - windowScene: the scene.
  ///   - shortcutItem: the shortcut.
  /// - Returns: Whether the scene has handled the shortcut. The library does not use it.
  /// - Throws: Any error is logged, and the scene continues.
  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async throws -> Bool
  /// The user responded to a notification, in this scene. Corresponds to
  /// `UNUserNotificationCenterDelegate.userNotificationCenter(_:didReceive:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - response: the response.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws
  /// The content of the scene may be out of date, also in the background. The missed events arrive
  /// first. After this method the scene is up to date.
  ///
  /// - Parameter scene: the scene.
  /// - Throws: Any error is logged, and the scene continues.
  func sceneNeedsRefresh(_ scene: Scene) async throws
  /// The broker did not save an activity of the scene; the last saved activity stays.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivity: the value of ``Scene/userActivity``, or the answer to
  ///     ``stateRestorationActivity(for:)``; nil for a removal.
  ///   - error: the reason, such as ``SceneError/Code/tooLarge``, ``SceneError/Code/storageFull``
  ///     or ``SceneError/Code/invalidParams``.
  /// - Throws: Any error is logged, and the scene continues.
  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError)
    async throws
}

extension SceneDelegate {
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) async throws {}
  public func sceneWillEnterForeground(_ scene: Scene) async throws {}
  public func sceneDidBecomeActive(_ scene: Scene) async throws {}
  public func sceneWillResignActive(_ scene: Scene) async throws {}
  public func sceneDidEnterBackground(_ scene: Scene) async throws {}
  public func stateRestorationActivity(for scene: Scene) async throws -> UserActivity? {
    scene.answer
  }
  public func sceneDidDisconnect(_ scene: Scene) async throws {}
  public func scene(
    _ scene: Scene, willContinueUserActivityWithType userActivityType: String
  ) async throws {}
  public func scene(_ scene: Scene, continue userActivity: UserActivity) async throws {}
  public func scene(_ scene: Scene, didUpdate userActivity: UserActivity) async throws {}
  public func scene(
    _ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>
  ) async throws {}
  public func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async throws -> Bool { false }
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {}
  public func sceneNeedsRefresh(_ scene: Scene) async throws {}
  public func scene(
    _ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError
  ) async throws {}
}

extension SceneDelegate {
  /// Calls the method of a callback.
  func call(_ callback: Callback, of scene: WindowScene) async throws -> CallAnswer {
    switch (callback.kind, callback.message) {
    case (.willEnterForeground, _): try await sceneWillEnterForeground(scene)
    case (.didBecomeActive, _): try await sceneDidBecomeActive(scene)
    case (.willResignActive, _): try await sceneWillResignActive(scene)
    case (.didEnterBackground, _): try await sceneDidEnterBackground(scene)
    case (.stateRestorationActivity, _): return try await activity(of: scene)
    case (.didDisconnect, _): try await sceneDidDisconnect(scene)
    case (_, let message as WillContinueUserActivity):
      try await self.scene(scene, willContinueUserActivityWithType: message.activityType)
    case (.continueUserActivity, let message as UserActivityMessage):
      try await self.scene(scene, continue: UserActivity(message.userActivity))
    case (_, let message as OpenURLContexts):
      let contexts = message.urlContexts.map(OpenURLContext.init)
      if let classic = self as? ClassicCalls {
        try await classic.open(contexts)
      } else {
        try await self.scene(scene, openURLContexts: Set(contexts))
      }
    case (.didUpdateUserActivity, let message as UserActivityMessage):
      try await self.scene(scene, didUpdate: UserActivity(message.userActivity))
    case (_, let message as PerformActionForShortcutItem):
      _ = try await windowScene(
        scene, performActionFor: ApplicationShortcutItem(message.shortcutItem))
    case (_, let message as DidReceiveNotificationResponse):
      try await self.scene(scene, didReceive: NotificationResponse(message.notificationResponse))
    case (.refresh, _): try await sceneNeedsRefresh(scene)
    // The actor connects the scene. A ping shows that the queue of the delegate is not blocked.
    case (.willConnect, _), (.ping, _): break
    default: preconditionFailure("\(callback.kind) has no method of the delegate")
    }
    return .done
  }

  private func activity(of scene: Scene) async throws -> CallAnswer {
    guard let activity = try await stateRestorationActivity(for: scene) else {
      return .activity(.absent)
    }
    do throws(SceneError) {
      return .activity(.value(try activity.checked))
    } catch {
      try await self.scene(scene, didFailToSave: activity, error: error)
      return .activity(.absent)
    }
  }
}

/// Another name of ``SceneDelegate``, for programs whose own class is called `SceneDelegate`.
/// Corresponds to `UIWindowSceneDelegate`.
public typealias WindowSceneDelegate = SceneDelegate
