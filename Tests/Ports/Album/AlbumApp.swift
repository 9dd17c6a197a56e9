import SceneApp

@main
struct AlbumApp: App {
  @Environment(\.scenePhase) private var scenePhase
  private let hasIndex = true

  var body: some SceneContent {
    WindowGroup(id: "Photo") {
      PhotoDelegate()
    }
    .onChange(of: scenePhase) { oldPhase, newPhase in
      print("from", oldPhase, "to", newPhase)
    }
    if hasIndex {
      Window(id: "Index") {
        IndexDelegate()
      }
    } else {
      Window(id: "Welcome") {
        IndexDelegate()
      }
    }
    for name in ["Left", "Right"] {
      Window(id: name) {
        PhotoDelegate()
      }
    }
    ApplicationDelegateAdaptor(AppDelegate.self)
  }
}

final class AppDelegate: MainApplicationDelegate {
  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
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
