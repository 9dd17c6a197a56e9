/// Translates the calls of a scene into the calls of a classic application delegate.
final class ClassicCalls: SceneDelegate {
  private let application: SceneApplication
  private let delegate: any ClassicApplicationDelegate
  /// UIKit does not call `applicationWillEnterForeground(_:)` at the launch.
  private var wasInBackground = false

  init(_ application: SceneApplication, _ delegate: any ClassicApplicationDelegate) {
    self.application = application
    self.delegate = delegate
  }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) async throws {
    delegate.window = scene
    wasInBackground = false
    do {
      let launchOptions = options.launchOptions
      let accepts = try await delegate.application(
        application, willFinishLaunchingWithOptions: launchOptions)
      guard
        try await delegate.application(application, didFinishLaunchingWithOptions: launchOptions),
        accepts
      else { throw SceneError(.requestDenied, "the application declined the launch") }
    } catch {
      delegate.window = nil
      throw error
    }
  }

  func sceneWillEnterForeground(_ scene: Scene) async throws {
    guard wasInBackground else { return }
    try await delegate.applicationWillEnterForeground(application)
  }

  func sceneDidBecomeActive(_ scene: Scene) async throws {
    try await delegate.applicationDidBecomeActive(application)
  }

  func sceneWillResignActive(_ scene: Scene) async throws {
    try await delegate.applicationWillResignActive(application)
  }

  func sceneDidEnterBackground(_ scene: Scene) async throws {
    wasInBackground = true
    try await delegate.applicationDidEnterBackground(application)
  }

  func sceneDidDisconnect(_ scene: Scene) async throws {
    defer { delegate.window = nil }
    try await delegate.applicationWillTerminate(application)
  }

  func didReceive(_ notice: SceneApplication.Notice) async throws {
    switch notice {
    case .didReceiveMemoryWarning:
      try await delegate.applicationDidReceiveMemoryWarning(application)
    case .significantTimeChange:
      try await delegate.applicationSignificantTimeChange(application)
    }
  }

  func stateRestorationActivity(for scene: Scene) async throws -> UserActivity? {
    try await delegate.stateRestorationActivity(for: scene)
  }

  func scene(
    _ scene: Scene, willContinueUserActivityWithType userActivityType: String
  ) async throws {
    _ = try await delegate.application(
      application, willContinueUserActivityWithType: userActivityType)
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) async throws {
    _ = try await delegate.application(application, continue: userActivity) { objects in
      for object in objects ?? [] { object.restoreUserActivityState(userActivity) }
    }
  }

  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) async throws {
    try await delegate.application(application, didUpdate: userActivity)
  }

  /// In the order of the request.
  func open(_ urlContexts: [OpenURLContext]) async throws {
    for context in urlContexts {
      var options: [SceneApplication.OpenURLOptionsKey: Any] = [
        .openInPlace: context.options.openInPlace
      ]
      options[.sourceApplication] = context.options.sourceApplication
      options[.annotation] = context.options.annotation
      _ = try await delegate.application(application, open: context.url, options: options)
    }
  }

  func windowScene(
    _ windowScene: WindowScene, performActionFor shortcutItem: ApplicationShortcutItem
  ) async throws -> Bool {
    try await delegate.application(application, performActionFor: shortcutItem)
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {
    try await delegate.application(application, didReceive: response)
  }

  // Calls without a classic equivalent are passed on.
  func sceneNeedsRefresh(_ scene: Scene) async throws {
    try await delegate.sceneNeedsRefresh(scene)
  }

  func scene(
    _ scene: Scene, didFailToSave userActivity: UserActivity?, error: SceneError
  ) async throws {
    try await delegate.scene(scene, didFailToSave: userActivity, error: error)
  }
}
