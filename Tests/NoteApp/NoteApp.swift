import SceneApp

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An application delegate that says what it is asked and told.
final class NoteApp: ApplicationDelegate {
  func applicationWillFinishLaunching(_ application: ApplicationProcess) { say("will launch") }

  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) -> Bool {
    say("launched: \(launchOptions.reason)")
    return true
  }

  func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration {
    let name = connectingSceneSession.name ?? "nameless"
    say("asked about \(name): \(connectingSceneSession.configuration.name ?? "")")
    if name == "plain" { throw SceneError(.requestDenied, "not here") }
    connectingSceneSession.userInfo["by"] = "note-app"
    if name == "elsewhere" {
      return SceneConfiguration(name: "Composer", sessionRole: .windowExternalDisplay)
    }
    if name == "unchosen" { return connectingSceneSession.configuration }
    return SceneConfiguration(name: "Composer", storyboard: "Compose")
  }

  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>,
    in report: DiscardReport
  ) {
    for session in sceneSessions {
      let line: Int? = session.stateRestorationActivity?.userInfo["line"]
      say("discarded \(session.name ?? "") at line \(line ?? 0) in \(report.id)")
    }
  }

  func application(
    _ application: ApplicationProcess, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  ) { say("connected: \(reason)") }

  func application(
    _ application: ApplicationProcess, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  ) { say("disconnected: \(reason)") }

  func application(
    _ application: ApplicationProcess, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  ) { say("ended: \(exit)") }

  func applicationDidReceiveMemoryWarning(_ application: ApplicationProcess) { say("memory") }

  func applicationSignificantTimeChange(_ application: ApplicationProcess) { say("time") }

  func applicationWillTerminate(_ application: ApplicationProcess) { say("will terminate") }

  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}

@main
enum NoteAppProgram {
  static func main() async {
    await ApplicationProcess(name: "note-app", delegate: NoteApp()).main()
  }
}
