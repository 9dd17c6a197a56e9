/// Receives the life cycle of one scene. Corresponds to UIKit's UISceneDelegate and
/// UIWindowSceneDelegate.
///
/// Every method is optional. The calls of one scene run one after the other, on threads of the
/// library; scenes do not wait for each other. Each scene has its own delegate. The library uses a
/// delegate only in these calls, and in ``Scene/perform(_:)``. The delegate is not isolated to an
/// actor. It reaches the main actor with `MainActor.run`.
///
/// A call has 5 s, and the connection has 20 s; the manifest can change both.
/// ``Scene/extendTime(by:)`` extends the time. The broker disconnects a scene that exceeds it, as
/// ``Scene/DisconnectReason/watchdog``. Only `stateRestorationActivity` is abandoned instead.
public protocol SceneDelegate: AnyObject, SendableMetatype {
  /// The scene connects and is not visible yet. An error refuses the scene, and
  /// ``sceneDidDisconnect(_:)`` does not follow.
  ///
  /// An activity in the options takes precedence over the saved activity of the session.
  ///
  /// The method can be synchronous. Other calls of the scene wait until it returns.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) async throws
  /// The scene will become visible.
  func sceneWillEnterForeground(_ scene: Scene)
  /// The scene takes input.
  func sceneDidBecomeActive(_ scene: Scene)
  /// The scene will stop taking input: it is on the way to the background, or interrupted.
  func sceneWillResignActive(_ scene: Scene)
  /// The scene is no longer visible. The broker may disconnect it from now on.
  func sceneDidEnterBackground(_ scene: Scene)
  /// Returns the activity to save, whenever the scene has entered the background; nil leaves the
  /// saved one.
  ///
  /// By default, the scene's ``Scene/userActivity``, unless the broker refused it.
  func stateRestorationActivity(for scene: Scene) -> UserActivity?
  /// The scene has ended; ``Scene/disconnectReason`` has the reason. Its session may connect again
  /// with a new scene.
  func sceneDidDisconnect(_ scene: Scene)
  /// An activity of this type will follow.
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String)
  /// Continue this activity in the connected scene.
  func scene(_ scene: Scene, continue userActivity: UserActivity)
  /// The activity that the scene answered was saved. Not called for an unchanged activity.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity)
  /// Open these URLs in the connected scene, in this order.
  ///
  /// By default, calls the form with a set.
  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext])
  /// Open these URLs in the connected scene. UIKit's form; the form with an array has the order.
  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>)
  /// The user chose a shortcut for the scene. Returns whether the scene has handled it.
  ///
  /// By default, calls ``windowScene(_:performActionFor:completionHandler:)``. Other calls of the
  /// scene wait until this method returns.
  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool
  /// The user chose a shortcut for the scene. UIKit's form with a completion handler, which must be
  /// called once, from any thread.
  ///
  /// By default, calls ``scene(_:performActionFor:)``.
  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void)
  /// The user chose a shortcut for the scene.
  func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem)
  /// The user responded to a notification, in this scene.
  func scene(_ scene: Scene, didReceive response: NotificationResponse)
  /// The content of the scene may be out of date, also in the background. The missed events arrive
  /// first. After this method the scene is up to date.
  func sceneNeedsRefresh(_ scene: Scene)
  /// The broker did not save a ``Scene/userActivity`` or an answered activity; the last saved
  /// activity stays.
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
      self.windowScene(windowScene, performActionFor: shortcutItem) {
        continuation.resume(returning: $0)
      }
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

/// UIKit's name for the delegate of a window. The same as ``SceneDelegate``, for programs whose own
/// class is called `SceneDelegate`.
public typealias WindowSceneDelegate = SceneDelegate
