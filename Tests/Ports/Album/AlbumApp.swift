import SceneApp

@main
struct AlbumApp: App {
  @Environment(\.scenePhase) private var scenePhase
  private let hasIndex = true

  var body: some SceneContent {
    WindowGroup(id: "Photo") {
      PhotoDelegate()
    }
    .onChange(of: scenePhase) { phase in
      print("now", phase)
    }
    if hasIndex {
      Window(id: "Index") {
        IndexDelegate()
      }
    }
    Window(id: "Left") {
      PhotoDelegate()
    }
    Window(id: "Right") {
      PhotoDelegate()
    }
    ApplicationDelegateAdaptor(AppDelegate.self)
  }
}

final class AppDelegate: MainApplicationDelegate {
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    print("launched the album")
    return true
  }
}

class IndexDelegate: WindowSceneDelegate, TerminalSceneDelegate {
  func scene(_ scene: Scene, didReceiveLine line: String) {
    Task {
      try await scene.openWindow(id: "Photo", value: line)
    }
  }
}

class PhotoDelegate: WindowSceneDelegate {
  func sceneDidBecomeActive(_ scene: Scene) {
    print("show", scene.session.name ?? "the last photo")
  }
}
