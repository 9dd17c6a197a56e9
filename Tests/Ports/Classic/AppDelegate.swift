import SceneApp

@main
final class AppDelegate: MainClassicApplicationDelegate {
  var window: Scene?

  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    self.window?.title = "Calculator"
    print("show the calculator")
    return true
  }

  func applicationDidBecomeActive(_ application: SceneApplication) {
    print("take keys")
  }

  func applicationWillResignActive(_ application: SceneApplication) {
    print("ignore keys")
  }

  func applicationDidEnterBackground(_ application: SceneApplication) {
    print("store the sum")
  }

  func applicationWillTerminate(_ application: SceneApplication) {
    print("release \(window?.title ?? "")")
  }
}
