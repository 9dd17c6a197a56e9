import SceneClient

/// The methods of `SpelledSceneDelegate`, which can all suspend and throw.
final class SuspendingSceneDelegate: WindowSceneDelegate {
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession,
    options connectionOptions: Scene.ConnectionOptions
  ) async throws {
    await log.suspendAndNote(
      "\(connectionOptions.reason), \(connectionOptions.isNew ? "new" : "known")")
  }

  func sceneWillEnterForeground(_ scene: Scene) async throws { await log.suspendAndNote() }
  func sceneDidBecomeActive(_ scene: Scene) async throws { await log.suspendAndNote() }
  func sceneWillResignActive(_ scene: Scene) async throws { await log.suspendAndNote() }
  func sceneDidEnterBackground(_ scene: Scene) async throws { await log.suspendAndNote() }
  func sceneDidDisconnect(_ scene: Scene) async throws {
    await log.suspendAndNote("\(scene.activationState)")
  }

  func stateRestorationActivity(for scene: Scene) async throws -> UserActivity? {
    await log.suspendAndNote()
    return UserActivity(activityType: "com.example.note")
  }

  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) async throws
  {
    await log.suspendAndNote(userActivityType)
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) async throws {
    await log.suspendAndNote(userActivity.activityType)
  }

  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) async throws {
    await log.suspendAndNote(userActivity.activityType)
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) async throws {
    await log.suspendAndNote(urlContexts.map(\.url).sorted().joined(separator: " "))
  }

  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) async throws {
    await log.suspendAndNote(shortcutItem.type)
    completionHandler(true)
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {
    await log.suspendAndNote(response.actionIdentifier ?? "")
  }
}

/// The methods of `SpelledApplicationDelegate`, which can all suspend and throw.
final class SuspendingApplicationDelegate: ApplicationDelegate {
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func application(
    _ application: ApplicationProcess,
    willFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]? = nil
  ) async throws -> Bool {
    await log.suspendAndNote()
    return true
  }

  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
  ) async throws -> Bool {
    await log.suspendAndNote()
    return true
  }

  func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) async throws -> SceneConfiguration {
    await log.suspendAndNote(connectingSceneSession.name ?? "")
    return SceneConfiguration(
      name: "Default Configuration", sessionRole: connectingSceneSession.role)
  }

  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) async throws {
    await log.suspendAndNote(sceneSessions.compactMap(\.name).sorted().joined(separator: " "))
  }

  func applicationDidReceiveMemoryWarning(_ application: ApplicationProcess) async throws {
    await log.suspendAndNote()
  }
  func applicationSignificantTimeChange(_ application: ApplicationProcess) async throws {
    await log.suspendAndNote()
  }
  func applicationWillTerminate(_ application: ApplicationProcess) async throws {
    await log.suspendAndNote()
  }
}

/// The methods of `SpelledClassicDelegate`, which can all suspend and throw.
final class SuspendingClassicDelegate: ClassicApplicationDelegate {
  private let log: CallLog
  var window: Scene? {
    didSet { log.note() }
  }

  init(_ log: CallLog) { self.log = log }

  func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]? = nil
  ) async throws -> Bool {
    await log.suspendAndNote()
    return true
  }

  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) async throws -> Bool {
    await log.suspendAndNote(
      window == nil ? "without a window" : launchOptions?[.url] as? String ?? "")
    return launchOptions?[.url] == nil
  }

  func applicationWillEnterForeground(_ application: SceneApplication) async throws {
    await log.suspendAndNote()
  }
  func applicationDidBecomeActive(_ application: SceneApplication) async throws {
    await log.suspendAndNote()
  }
  func applicationWillResignActive(_ application: SceneApplication) async throws {
    await log.suspendAndNote()
  }
  func applicationDidEnterBackground(_ application: SceneApplication) async throws {
    await log.suspendAndNote()
  }
  func applicationWillTerminate(_ application: SceneApplication) async throws {
    await log.suspendAndNote()
  }

  func application(
    _ app: SceneApplication, open url: String,
    options: [SceneApplication.OpenURLOptionsKey: Any] = [:]
  ) async throws -> Bool {
    await log.suspendAndNote("\(url) from \(options[.sourceApplication] as? String ?? "")")
    return true
  }

  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) async throws -> Bool {
    await log.suspendAndNote(userActivityType)
    return true
  }

  func application(
    _ application: SceneApplication, continue userActivity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) async throws -> Bool {
    restorationHandler([RestoringObject(log)])
    return true
  }

  func application(_ application: SceneApplication, didUpdate userActivity: UserActivity)
    async throws
  {
    await log.suspendAndNote(userActivity.activityType)
  }

  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) async throws {
    await log.suspendAndNote(shortcutItem.type)
    completionHandler(true)
  }

  func stateRestorationActivity(for scene: Scene) async throws -> UserActivity? {
    UserActivity(activityType: "com.example.note")
  }
}
