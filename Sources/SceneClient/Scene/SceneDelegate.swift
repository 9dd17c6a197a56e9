/// Receives the life cycle of one scene. Corresponds to `UISceneDelegate` and
/// `UIWindowSceneDelegate`.
///
/// Every method is optional. The calls of one scene run one after the other, on threads of the
/// library; scenes do not wait for each other. Each scene has its own delegate. The library uses a
/// delegate only in these calls, in ``Scene/perform(_:)`` and in ``Scene/observe(_:as:onGap:_:)``.
/// The delegate is not isolated to an actor. It reaches the main actor with `MainActor.run`.
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
  /// The method can be synchronous. Other calls of the scene wait until it returns. The connection
  /// has 20 s by default. When the scene ends or the application stops, the task of a suspended
  /// method is cancelled; a second after the end of the scene, the other calls wait no longer.
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
  func sceneWillEnterForeground(_ scene: Scene)
  /// The scene takes input. Corresponds to `UISceneDelegate.sceneDidBecomeActive(_:)`.
  ///
  /// - Parameter scene: the scene; its state is `foregroundActive`.
  func sceneDidBecomeActive(_ scene: Scene)
  /// The scene will stop taking input: it is on the way to the background, or interrupted.
  /// Corresponds to `UISceneDelegate.sceneWillResignActive(_:)`.
  ///
  /// - Parameter scene: the scene; its state is still `foregroundActive`.
  func sceneWillResignActive(_ scene: Scene)
  /// The scene is no longer visible. The broker may disconnect it from now on. Corresponds to
  /// `UISceneDelegate.sceneDidEnterBackground(_:)`.
  ///
  /// - Parameter scene: the scene; its state is `background`.
  func sceneDidEnterBackground(_ scene: Scene)
  /// Returns the activity to save, whenever the scene has entered the background. Corresponds to
  /// `UISceneDelegate.stateRestorationActivity(for:)`.
  ///
  /// By default, the scene's ``Scene/userActivity``, unless the broker refused it.
  ///
  /// - Parameter scene: the scene.
  /// - Returns: The activity, at most 256 KiB by default; nil leaves the saved one.
  func stateRestorationActivity(for scene: Scene) -> UserActivity?
  /// The scene has ended. Its session may connect again with a new scene. Corresponds to
  /// `UISceneDelegate.sceneDidDisconnect(_:)`.
  ///
  /// - Parameter scene: the scene; ``Scene/disconnectReason`` has the reason.
  func sceneDidDisconnect(_ scene: Scene)
  /// An activity of this type will follow. Corresponds to
  /// `UISceneDelegate.scene(_:willContinueUserActivityWithType:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivityType: the type of the activity.
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String)
  /// Continue this activity in the connected scene. Corresponds to
  /// `UISceneDelegate.scene(_:continue:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivity: the activity.
  func scene(_ scene: Scene, continue userActivity: UserActivity)
  /// The broker has saved the activity that the scene returned. The library does not call this
  /// method for an unchanged activity. Corresponds to `UISceneDelegate.scene(_:didUpdate:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivity: the saved activity.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity)
  /// Open these URLs in the connected scene, in this order. Corresponds to
  /// `UISceneDelegate.scene(_:openURLContexts:)`.
  ///
  /// By default, calls the form with a set.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - urlContexts: the URLs, with their options.
  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext])
  /// Open these URLs in the connected scene. This is UIKit's form; the form with an array has the
  /// order. Corresponds to `UISceneDelegate.scene(_:openURLContexts:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - urlContexts: the URLs, with their options.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>)
  /// The user chose a shortcut for the scene. Corresponds to
  /// `UIWindowSceneDelegate.windowScene(_:performActionFor:completionHandler:)`.
  ///
  /// By default, calls ``windowScene(_:performActionFor:completionHandler:)``. Other calls of the
  /// scene wait until this method returns.
  ///
  /// - Parameters:
  ///   - windowScene: the scene.
  ///   - shortcutItem: the shortcut.
  /// - Returns: Whether the scene has handled the shortcut. The library does not use it.
  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool
  /// The user chose a shortcut for the scene. This is UIKit's form. Corresponds to
  /// `UIWindowSceneDelegate.windowScene(_:performActionFor:completionHandler:)`.
  ///
  /// By default, calls ``scene(_:performActionFor:)``.
  ///
  /// - Parameters:
  ///   - windowScene: the scene.
  ///   - shortcutItem: the shortcut.
  ///   - completionHandler: called from any thread; other calls of the scene wait for it. A second
  ///     call has no effect. Releasing it without a call has the effect of false.
  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void)
  /// The user chose a shortcut for the scene: a form without a result. Corresponds to
  /// `UIWindowSceneDelegate.windowScene(_:performActionFor:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - shortcutItem: the shortcut.
  func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem)
  /// The user responded to a notification, in this scene. Corresponds to
  /// `UNUserNotificationCenterDelegate.userNotificationCenter(_:didReceive:)`.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - response: the response.
  func scene(_ scene: Scene, didReceive response: NotificationResponse)
  /// The content of the scene may be out of date, also in the background. The missed events arrive
  /// first. After this method the scene is up to date.
  ///
  /// UIKit has no counterpart: it takes a new snapshot of the scene instead.
  ///
  /// - Parameter scene: the scene.
  func sceneNeedsRefresh(_ scene: Scene)
  /// The broker did not save an activity of the scene; the last saved activity stays. UIKit has no
  /// counterpart.
  ///
  /// - Parameters:
  ///   - scene: the scene.
  ///   - userActivity: the value of ``Scene/userActivity``, or the answer to
  ///     ``stateRestorationActivity(for:)``; nil for a removal.
  ///   - error: the reason, such as ``SceneError/Code/tooLarge``, ``SceneError/Code/storageFull``
  ///     or ``SceneError/Code/invalidParams``.
  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError)
}

extension SceneDelegate {
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) async throws {}
  public func sceneWillEnterForeground(_ scene: Scene) {}
  public func sceneDidBecomeActive(_ scene: Scene) {}
  public func sceneWillResignActive(_ scene: Scene) {}
  public func sceneDidEnterBackground(_ scene: Scene) {}
  public func stateRestorationActivity(for scene: Scene) -> UserActivity? { scene.answer }
  public func sceneDidDisconnect(_ scene: Scene) {}
  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {}
  public func scene(_ scene: Scene, continue userActivity: UserActivity) {}
  public func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {}
  public func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext]) {
    self.scene(scene, openURLContexts: Set(urlContexts))
  }
  public func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {}
  public func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let result = OneShot(orElse: false) { continuation.resume(returning: $0) }
      self.windowScene(windowScene, performActionFor: shortcutItem) { result.complete($0) }
    }
  }
  public func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    scene(windowScene, performActionFor: shortcutItem)
    completionHandler(true)
  }
  public func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem) {}
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) {}
  public func sceneNeedsRefresh(_ scene: Scene) {}
  public func scene(
    _ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError
  ) {}
}

/// Another name of ``SceneDelegate``, for programs whose own class is called `SceneDelegate`.
/// Corresponds to `UIWindowSceneDelegate`.
public typealias WindowSceneDelegate = SceneDelegate
