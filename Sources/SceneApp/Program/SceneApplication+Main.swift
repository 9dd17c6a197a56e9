public import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

extension SceneApplication {
  /// Runs as a whole program: reads the command line, serves scenes as `run(_:)` does, and reports
  /// errors on standard error. This application becomes `SceneApplication.shared`. Corresponds to
  /// `UIApplicationMain(_:_:_:_:)`.
  ///
  /// ```swift
  /// await SceneApplication(name: "notes", delegate: NoteDelegate.init).main()
  /// ```
  ///
  /// The command line has `--help` and `--version`; any other word ends the process with status 2.
  /// A program with a command line of its own parses that first, and passes `arguments: []`.
  ///
  /// `main` returns when the last scene is closed, for example by Ctrl-D in a
  /// ``TerminalSceneDelegate``, or discarded. After a scene is reclaimed or the broker has stopped,
  /// the program waits for the scene to come back. A program that the broker launched, or that
  /// passes nil, goes on without a scene, because the broker may bring one. With nil, `main`
  /// reports that.
  ///
  /// INT, TERM and HUP end all scenes in order; a second signal ends the process. Ctrl-Z (TSTP)
  /// moves the scenes to the background before the process stops. They return when the process
  /// continues. Standard output is flushed after each line. If the task is cancelled, all scenes
  /// end in order, and `main` returns.
  ///
  /// In the process of the application delegate, `main` returns when the application has ended.
  ///
  /// An error ends the process with the status that `scene` uses. The status is 69 if no broker
  /// answers, and 78 if the program lacks the delegate class of the requested scene. `main` logs
  /// the error. Answers to the command line and to the terminal are not logged: they always go to
  /// standard error.
  ///
  /// - Parameters:
  ///   - request: the scene to request; nil for none.
  ///   - arguments: the words to read instead of the process's command line; nil to read that.
  public func main(_ request: SceneRequest? = SceneRequest(), arguments: [String]? = nil) async {
    StandardStream.prepare()
    StandardStream.printLineByLine()
    if isDelegate {
      program.readCommandLine(
        arguments, summary: "Run the delegate of an application.",
        exits: [
          .success: "the application has ended", .failure: "another process is the delegate",
          .noBroker: "no broker answers",
        ])
      return await serveDelegate()
    }
    program.readCommandLine(
      arguments, summary: "Run scenes of an application.",
      exits: [
        .success: "the last scene was closed", .failure: "the last scene was lost or refused",
        .noBroker: "no broker answers", .tryAgain: "temporary failure; try again later",
        .badConfiguration: "this program lacks the scene's delegate class",
      ])
    let keys = KeySceneTracker()
    let quitPolicy = QuitPolicy(self, keys, isHost: request == nil || isLaunched)
    do throws(SceneError) {
      try await serve(request, keys, quitPolicy)
    } catch {
      program.fail(error)
    }
    if let (message, code) = quitPolicy.outcome { program.fail(message, code) }
  }

  /// Calls the application delegate with the signals of this process. Ends the process for an
  /// error.
  func serveDelegate(start: String? = nil) async {
    ProgramSignals.serveDelegate(self)
    makeShared()
    do throws(SceneError) {
      try await run()
    } catch {
      program.fail(error, start: start)
    }
  }

  /// Whether the broker started this process for a session.
  var isLaunched: Bool { (try? client.claimLaunch()) == true }

  /// Serves scenes with the terminal and the signals of this process. Reports the ends of scenes
  /// and the loss of the broker.
  func serve(
    _ request: SceneRequest?, _ keys: KeySceneTracker, _ quitPolicy: QuitPolicy
  ) async throws(SceneError) {
    let client = try client
    makeShared()
    host.observeEnds { quitPolicy.sceneEnded($0) }
    TerminalScenes(host, client, keys) { _ = quitPolicy.quit(canAskAgain: $0, by: $1) }.begin()
    let signals = ProgramSignals(JobControl.signals)
    reportConnection(quitPolicy)
    try await run(isLaunched ? request : request?.reopenable(by: CurrentProcess.words)) {
      // The start of a thread takes time, and the broker works meanwhile. Earlier signals wait.
      signals?.serve(self, keys, quitPolicy)
    }
  }

  private func reportConnection(_ quitPolicy: QuitPolicy) {
    let progress = ConditionMutex((isMissing: false, hasBeenThere: false))
    host.observeUpdates { [program] update in
      guard case .connection(let state) = update, state == .connected || state == .waiting
      else { return }
      let isMissing = state == .waiting
      let before = progress.withLock { progress in
        defer { progress = (isMissing, progress.hasBeenThere || !isMissing) }
        return progress
      }
      if !isMissing { quitPolicy.forgetWarning() }
      if before.isMissing == isMissing { return }
      switch (isMissing, before.hasBeenThere) {
      case (false, let hasBeenThere):
        program.report(.notice, "the broker is \(hasBeenThere ? "back" : "there")")
      case (true, true):
        program.report(
          .warning,
          "the broker is gone; requests wait for the next broker (Ctrl-C ends this program)")
      case (true, false):
        program.report(.notice, "no broker runs; this program waits for one (Ctrl-C ends it)")
      }
    }
  }
}
