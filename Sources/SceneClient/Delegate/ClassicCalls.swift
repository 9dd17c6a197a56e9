/// Translates the calls of a scene into the calls of a classic application delegate.
final class ClassicCalls: SceneDelegate {
  private let application: SceneApplication
  private let delegate: any ClassicApplicationDelegate

  init(_ application: SceneApplication, _ delegate: any ClassicApplicationDelegate) {
    self.application = application
    self.delegate = delegate
  }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) throws {
    delegate.window = scene
    do {
      try delegate.application(application, didFinishLaunchingWithOptions: options)
    } catch {
      delegate.window = nil
      throw error
    }
  }

  func sceneWillEnterForeground(_ scene: Scene) {
    delegate.applicationWillEnterForeground(application)
  }

  func sceneDidBecomeActive(_ scene: Scene) { delegate.applicationDidBecomeActive(application) }

  func sceneWillResignActive(_ scene: Scene) { delegate.applicationWillResignActive(application) }

  func sceneDidEnterBackground(_ scene: Scene) {
    delegate.applicationDidEnterBackground(application)
  }

  func sceneDidDisconnect(_ scene: Scene) {
    delegate.applicationWillTerminate(application)
    delegate.window = nil
  }

  func didReceive(_ notice: SceneApplication.Notice) {
    switch notice {
    case .didReceiveMemoryWarning: delegate.applicationDidReceiveMemoryWarning(application)
    case .significantTimeChange: delegate.applicationSignificantTimeChange(application)
    default: break
    }
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    delegate.stateRestorationActivity(for: scene)
  }

  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {
    let _: Void = delegate.application(
      application, willContinueUserActivityWithType: userActivityType)
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    delegate.application(application, continue: userActivity)
  }

  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {
    delegate.application(application, didUpdate: userActivity)
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: [OpenURLContext]) {
    delegate.application(application, open: urlContexts)
  }

  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool {
    await delegate.application(application, performActionFor: shortcutItem)
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) {
    delegate.application(application, didReceive: response)
  }

  // Calls without a classic equivalent are passed on.
  func sceneNeedsRefresh(_ scene: Scene) { delegate.sceneNeedsRefresh(scene) }

  func scene(_ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError) {
    delegate.scene(scene, didFailToSave: userActivity, error: error)
  }
}
