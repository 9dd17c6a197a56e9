import SceneApp

final class NoteDelegate: SceneDelegate {
  private var line = 0

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) throws {
    let activity = options.userActivities.first ?? session.stateRestorationActivity
    line = activity?.userInfo?["line"] as? Int ?? 0
  }

  func sceneDidBecomeActive(_ scene: Scene) {
    line += 1
    scene.userActivity = UserActivity(
      activityType: "com.example.note", userInfo: ["line": line])
    print("at line", line)
  }
}

@main
enum NoteScene {
  static func main() async {
    await SceneApplication(name: "note-scene", delegate: NoteDelegate.init).main()
  }
}
