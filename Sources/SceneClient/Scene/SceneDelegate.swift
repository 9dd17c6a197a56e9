/// What an application does at the turns of a scene's life.
///
/// Every method is optional. The calls of one scene come one after the other, in the order of the
/// scene's life, on threads of the library; scenes do not wait for each other. One delegate is made
/// for each scene, and nobody else uses it, but for ``Scene/perform(_:)``.
///
/// A call has 5 s, and 20 s for the scene to connect, unless the manifest says otherwise;
/// ``Scene/extendTime(by:)`` asks for more. A scene that overruns it is cut off, as
/// ``Scene/DisconnectReason/watchdog``; only the question for the activity is given up instead.
public protocol SceneDelegate: AnyObject {
  /// The scene is there, not visible yet. Throwing refuses it: it is over then, and
  /// ``sceneDidDisconnect(_:)`` does not follow.
  ///
  /// What is to be continued comes first in the options; where the scene was stands in the session.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions) throws
  /// The scene is about to be visible.
  func sceneWillEnterForeground(_ scene: Scene)
  /// The scene takes input.
  func sceneDidBecomeActive(_ scene: Scene)
  /// The scene is about to take no more input: on its way to the background, or interrupted.
  func sceneWillResignActive(_ scene: Scene)
  /// The scene is not visible any more. It may be disconnected from now on.
  func sceneDidEnterBackground(_ scene: Scene)
  /// Asked whenever the scene has entered the background; nil leaves what was saved before.
  ///
  /// By default it is the scene's ``Scene/userActivity``, unless that was refused.
  func stateRestorationActivity(for scene: Scene) -> UserActivity?
  /// The scene is over; ``Scene/disconnectReason`` says why. Its session may come back, with
  /// another scene.
  func sceneDidDisconnect(_ scene: Scene)
  /// An activity of this type is about to be continued in the scene.
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String)
  /// The activity is to be continued in the scene, which is connected already.
  func scene(_ scene: Scene, continue userActivity: UserActivity)
  /// The activity that the scene answered when it was asked for one is kept; not called where it was
  /// kept before.
  func scene(_ scene: Scene, didUpdate userActivity: UserActivity)
  /// URLs are to be opened in the scene, which is connected already.
  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext])
  /// A shortcut was chosen, for the scene to do what it says.
  func scene(_ scene: Scene, performActionFor shortcutItem: ApplicationShortcutItem)
  /// A person did something with a notification, and goes on in the scene.
  func scene(_ scene: Scene, didReceive response: NotificationResponse)
  /// What the scene shows may be out of date, also while it is in the background; the events that it
  /// has missed are handed on before. When this returns it is up to date.
  func sceneNeedsRefresh(_ scene: Scene)
  /// What was assigned to ``Scene/userActivity``, or answered to the question for it, could not be
  /// kept; what was kept before stays.
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
