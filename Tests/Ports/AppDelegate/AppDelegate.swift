import SceneApp

@main
final class AppDelegate: MainApplicationDelegate {
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    print("launched")
    return true
  }

  func application(
    _ application: SceneApplication,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let type = options.userActivities.first?.activityType ?? "list"
    let userInfo: UserInfo = [
      "type": type
    ]
    connectingSceneSession.userInfo = userInfo
    return SceneConfiguration(
      name: "Default Configuration", sessionRole: connectingSceneSession.role)
  }

  func application(
    _ application: SceneApplication, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) {
    for session in sceneSessions {
      print("discarded a", session.userInfo?["type"] as? String ?? "window")
    }
  }
}
