/// Receives the life cycle of one scene.
///
/// Every method is optional. The calls of one scene run in order, on threads of the library; scenes
/// do not wait for each other. Each scene has its own delegate. Only ``Scene/perform(_:)`` also
/// uses it.
///
/// A call has 5 s, and the connection has 20 s; the manifest can change both.
/// ``Scene/extendTime(by:)`` extends the time. The broker disconnects a scene that exceeds it, as
/// ``Scene/DisconnectReason/watchdog``. Only `stateRestorationActivity` is abandoned instead.
public protocol SceneDelegate: AnyObject, SendableMetatype {
  /// The scene connects and is not visible yet. An error refuses the scene, and
  /// ``sceneDidDisconnect(_:)`` does not follow.
  ///
  /// An activity in the options takes precedence over the saved activity of the session.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) throws
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
  /// Open these URLs in the connected scene.
  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext])
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
  ) throws {}
  public func sceneWillEnterForeground(_ scene: Scene) {}
  public func sceneDidBecomeActive(_ scene: Scene) {}
  public func sceneWillResignActive(_ scene: Scene) {}
  public func sceneDidEnterBackground(_ scene: Scene) {}
  public func stateRestorationActivity(for scene: Scene) -> UserActivity? { scene.answer }
  public func sceneDidDisconnect(_ scene: Scene) {}
  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {}
  public func scene(_ scene: Scene, continue userActivity: UserActivity) {}
  public func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {}
  public func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext]) {}
  public func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem) {}
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) {}
  public func sceneNeedsRefresh(_ scene: Scene) {}
  public func scene(
    _ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError
  ) {}
}
