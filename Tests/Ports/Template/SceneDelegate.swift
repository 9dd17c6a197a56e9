import SceneApp

class SceneDelegate: WindowSceneDelegate {
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession,
    options connectionOptions: Scene.ConnectionOptions
  ) {
    scene.title = "Stopwatch"
    print("show the stopwatch")
  }

  func sceneDidDisconnect(_ scene: Scene) {
    print("release the stopwatch")
  }

  func sceneDidBecomeActive(_ scene: Scene) {
    print("start the hands")
  }

  func sceneWillResignActive(_ scene: Scene) {
    print("stop the hands")
  }

  func sceneWillEnterForeground(_ scene: Scene) {
    print("draw the dial")
  }

  func sceneDidEnterBackground(_ scene: Scene) {
    print("store the time")
  }
}
