import SceneApp

@main
final class AppDelegate: MainApplicationDelegate {
  func application(
    _ application: SceneApplication,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    var config = SceneConfiguration()
    config.sceneClass = "WindowScene"
    config.delegateClass = "SceneDelegate"
    config.storyboard = "Main"
    return config
  }
}
