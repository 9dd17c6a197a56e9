import SceneApp

class SceneDelegate: WindowSceneDelegate {
  var window: ReaderWindow?

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    window = ReaderWindow(scene)
    if let restorationActivity = session.stateRestorationActivity {
      configure(window: window, with: restorationActivity)
    }
  }

  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    let currentActivity = fetchCurrentUserActivity(for: window)
    return currentActivity
  }

  func sceneDidBecomeActive(_ scene: Scene) {
    window?.turnPage()
  }

  func fetchCurrentUserActivity(for window: ReaderWindow?) -> UserActivity? {
    guard let window else { return nil }
    return UserActivity(
      activityType: "com.example.reader.read", userInfo: ["page": window.page])
  }

  func configure(window: ReaderWindow?, with activity: UserActivity) {
    window?.page = activity.userInfo?["page"] as? Int ?? 0
  }
}
