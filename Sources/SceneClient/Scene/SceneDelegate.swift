/// What an application does at the turns of a scene's life.
///
/// Every method is optional. The calls of one scene come one after the other, in the order of the
/// scene's life, on threads of the library; scenes do not wait for each other. One delegate is made
/// for each scene, and nobody else uses it, but for ``Scene/perform(_:)``. A call has a time
/// budget; ``Scene/extendTime(by:)`` asks for more.
public protocol SceneDelegate: AnyObject {
  /// The scene is there, not visible yet. Throwing refuses it.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) throws
  func sceneWillEnterForeground(_ scene: Scene)
  func sceneDidBecomeActive(_ scene: Scene)
  func sceneWillResignActive(_ scene: Scene)
  func sceneDidEnterBackground(_ scene: Scene)
  /// Asked whenever the scene has entered the background; nil leaves what was saved before.
  ///
  /// By default it is the scene's ``Scene/userActivity``.
  func stateRestorationActivity(for scene: Scene) -> UserActivity?
  /// The scene is over; ``Scene/disconnectReason`` says why. Its session may come back, with
  /// another scene.
  func sceneDidDisconnect(_ scene: Scene)
  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String)
  func scene(_ scene: Scene, continue userActivity: UserActivity)
  /// What was assigned to ``Scene/userActivity``, or answered to the question for it, could not be
  /// kept.
  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError)
}

extension SceneDelegate {
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) throws {}
  public func sceneWillEnterForeground(_ scene: Scene) {}
  public func sceneDidBecomeActive(_ scene: Scene) {}
  public func sceneWillResignActive(_ scene: Scene) {}
  public func sceneDidEnterBackground(_ scene: Scene) {}
  public func stateRestorationActivity(for scene: Scene) -> UserActivity? { scene.userActivity }
  public func sceneDidDisconnect(_ scene: Scene) {}
  public func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {}
  public func scene(_ scene: Scene, continue userActivity: UserActivity) {}
  public func scene(
    _ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError
  ) {}
}
