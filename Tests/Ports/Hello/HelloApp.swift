import SceneApp

@main
struct HelloApp: App {
  @Environment(\.scenePhase) private var scenePhase

  @SceneBuilder var body: some SceneContent {
    WindowGroup {
      ContentDelegate()
    }
    .onChange(of: scenePhase) { (newScenePhase) in
      switch newScenePhase {
      case .active:
        print("hello, active windows")
      case .inactive:
        print("hello, inactive windows")
      case .background:
        print("hello, background")
      @unknown default:
        print("hello, unknown phase")
      }
    }
    Settings {
      SettingsDelegate()
    }
  }
}

class ContentDelegate: SceneDelegate {}

class SettingsDelegate: SceneDelegate {
  func sceneDidBecomeActive(_ scene: Scene) {
    print("hello, settings")
  }
}
