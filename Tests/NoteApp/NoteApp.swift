import SceneApp

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An application delegate that prints its calls.
@main
final class NoteApp: MainApplicationDelegate {
  func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    say("will launch")
    return true
  }

  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    say("launched: \(launchOptions?[.url] as? String ?? "no URL")")
    return true
  }

  func application(
    _ application: SceneApplication,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration {
    let name = connectingSceneSession.name ?? "nameless"
    say("asked about \(name): \(connectingSceneSession.configuration.name ?? "")")
    if name == "plain" { throw SceneError(.requestDenied, "not here") }
    connectingSceneSession.userInfo = ["by": "note-app"]
    if name == "elsewhere" {
      return SceneConfiguration(name: "Composer", sessionRole: .windowExternalDisplay)
    }
    if name == "unchosen" { return connectingSceneSession.configuration }
    return SceneConfiguration(name: "Composer", storyboard: "Compose")
  }

  func application(
    _ application: SceneApplication, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) {
    for session in sceneSessions {
      let line = session.stateRestorationActivity?.userInfo?["line"] as? Int ?? 0
      say("discarded \(session.name ?? "") at line \(line)")
    }
  }

  func application(
    _ application: SceneApplication, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  ) { say("connected: \(reason)") }

  func application(
    _ application: SceneApplication, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  ) { say("disconnected: \(reason)") }

  func application(
    _ application: SceneApplication, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  ) { say("ended: \(exit)") }

  func applicationDidReceiveMemoryWarning(_ application: SceneApplication) { say("memory") }

  func applicationSignificantTimeChange(_ application: SceneApplication) { say("time") }

  func applicationWillTerminate(_ application: SceneApplication) { say("will terminate") }

  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
