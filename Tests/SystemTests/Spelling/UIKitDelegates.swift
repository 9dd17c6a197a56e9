import SceneClient
import ScenePlatform

/// The calls that delegates received.
final class CallLog: Sendable {
  private let content = ConditionMutex<[(call: String, detail: String)]>([])

  func note(_ detail: String = "", _ call: String = #function) {
    content.withLock { $0.append((call, detail)) }
  }

  /// Notes a call after it was suspended.
  func suspendAndNote(_ detail: String = "", _ call: String = #function) async {
    await Task.yield()
    note(detail, call)
  }

  /// The methods and properties that were called.
  var calls: Set<String> { Set(content.withLock { $0.map(\.call) }) }

  /// The details of the calls of a method, in order.
  func details(of call: String) -> [String] {
    content.withLock { $0.filter { $0.call == call }.map(\.detail) }
  }
}

/// Every method of UISceneDelegate and UIWindowSceneDelegate that the library calls, as a program
/// with UIKit spells it. The last one is SceneBroker's, because it has UIKit's center for
/// notifications as its first parameter.
final class SpelledSceneDelegate: WindowSceneDelegate {
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession,
    options connectionOptions: Scene.ConnectionOptions
  ) {
    log.note("\(connectionOptions.reason), \(connectionOptions.isNew ? "new" : "known")")
  }

  func sceneWillEnterForeground(_ scene: Scene) { log.note() }
  func sceneDidBecomeActive(_ scene: Scene) { log.note() }
  func sceneWillResignActive(_ scene: Scene) { log.note() }
  func sceneDidEnterBackground(_ scene: Scene) { log.note() }
  func sceneDidDisconnect(_ scene: Scene) { log.note("\(scene.activationState)") }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    log.note()
    return UserActivity(activityType: "com.example.note")
  }

  func scene(_ scene: Scene, willContinueUserActivityWithType userActivityType: String) {
    log.note(userActivityType)
  }

  func scene(_ scene: Scene, continue userActivity: UserActivity) {
    log.note(userActivity.activityType)
  }

  func scene(_ scene: Scene, didUpdate userActivity: UserActivity) {
    log.note(userActivity.activityType)
  }

  func scene(_ scene: Scene, openURLContexts urlContexts: Set<OpenURLContext>) {
    log.note(urlContexts.map(\.url).sorted().joined(separator: " "))
  }

  func windowScene(
    _ windowScene: Scene, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    log.note(shortcutItem.type)
    completionHandler(true)
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) {
    log.note(response.actionIdentifier ?? "")
  }
}

/// Every method of UIApplicationDelegate that the library calls in an application with scenes.
final class SpelledApplicationDelegate: ApplicationDelegate {
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func application(
    _ application: ApplicationProcess,
    willFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    log.note()
    return true
  }

  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
  ) -> Bool {
    log.note()
    return true
  }

  func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    log.note(connectingSceneSession.name ?? "")
    return SceneConfiguration(
      name: "Default Configuration", sessionRole: connectingSceneSession.role)
  }

  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) { log.note(sceneSessions.compactMap(\.name).sorted().joined(separator: " ")) }

  func applicationDidReceiveMemoryWarning(_ application: ApplicationProcess) { log.note() }
  func applicationSignificantTimeChange(_ application: ApplicationProcess) { log.note() }
  func applicationWillTerminate(_ application: ApplicationProcess) { log.note() }
}

/// Every method of UIApplicationDelegate that the library calls in an application without scenes.
final class SpelledClassicDelegate: ClassicApplicationDelegate {
  private let log: CallLog
  var window: Scene? {
    didSet { log.note() }
  }

  init(_ log: CallLog) { self.log = log }

  func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    log.note()
    return true
  }

  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    log.note(window == nil ? "without a window" : launchOptions?[.url] as? String ?? "")
    return launchOptions?[.url] == nil
  }

  func applicationWillEnterForeground(_ application: SceneApplication) { log.note() }
  func applicationDidBecomeActive(_ application: SceneApplication) { log.note() }
  func applicationWillResignActive(_ application: SceneApplication) { log.note() }
  func applicationDidEnterBackground(_ application: SceneApplication) { log.note() }
  func applicationWillTerminate(_ application: SceneApplication) { log.note() }

  func application(
    _ app: SceneApplication, open url: String,
    options: [SceneApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    log.note("\(url) from \(options[.sourceApplication] as? String ?? "")")
    return true
  }

  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    log.note(userActivityType)
    return true
  }

  func application(
    _ application: SceneApplication, continue userActivity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool {
    restorationHandler([RestoringObject(log)])
    return true
  }

  func application(_ application: SceneApplication, didUpdate userActivity: UserActivity) {
    log.note(userActivity.activityType)
  }

  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    log.note(shortcutItem.type)
    completionHandler(true)
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    UserActivity(activityType: "com.example.note")
  }
}

/// An object that a delegate passes to the restoration handler.
final class RestoringObject: UserActivityRestoring {
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func restoreUserActivityState(_ userActivity: UserActivity) {
    log.note(userActivity.activityType, "application(_:continue:restorationHandler:)")
  }
}
