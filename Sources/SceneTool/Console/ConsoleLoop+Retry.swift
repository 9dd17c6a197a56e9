import SceneCommandLine
import SceneModel
import ScenePlatform

/// Runs a program again that has failed, after a delay or at Enter. The scene stays connected.
extension ConsoleLoop {
  /// Whether Enter continues: with the stored command, or with the next run of the program.
  var awaitsEnter: Bool { pending?.awaitsInput == true || retriesAtEnter }

  private var retriesAtEnter: Bool {
    hosted?.retryDelay != nil && isSilent && hosted?.runner.hasTerminal == true
      && StandardStream.input.isTerminal
  }

  /// The user has pressed Enter. Returns false if no Enter is awaited.
  func takeEnter() -> Bool {
    if retriesAtEnter {
      retry()
      return true
    }
    return confirmPending()
  }

  /// Waits for the next run if the program has failed. Returns false if the scene ends with it.
  func awaitRetry(after end: ProcessEnd) -> Bool {
    guard let hosted, hosted.beginRetry(after: end) else { return false }
    scene.noteProgramEnd()
    hosted.runner.restoreTerminalMode()
    awaitRetry(hosted, end.words)
    return true
  }

  private func awaitRetry(_ hosted: HostedSession, _ failure: String) {
    let delay = hosted.retryDelay?.phrase ?? "0 s"
    let keys = retriesAtEnter ? " (Enter: now, Ctrl-C: close)" : ""
    screen.complain(
      "scene: \(PlainText.word(hosted.runner.name)) \(failure); restarts in \(delay)\(keys)")
    begin(.retry)
    beginReading()
  }

  /// Runs the program again. A program that cannot be started has failed again.
  func retry() {
    // This process stops soon, and the program would run without it.
    if isRunning(.suspension) { return begin(.retry) }
    guard let hosted, let launch = hosted.endRetry(resume: scene.resumeCommand) else { return }
    stopRetrying()
    do throws(SystemError) {
      scene.noteProgram(try hosted.run(launch), hosted.runner.name, of: launch.session)
    } catch {
      guard hosted.beginRetry() else { return }
      return awaitRetry(hosted, "cannot be started: \(error)")
    }
    moveToForeground()
  }

  /// Forgets the next run: the scene ends, or the program runs.
  func stopRetrying() {
    cancel(.retry)
    _ = hosted?.endRetry(resume: nil)
    if isSilent { stopReading() }
  }
}

extension ProcessEnd {
  fileprivate var words: String {
    switch self {
    case .exited(let status): "failed with status \(status)"
    case .signalled(let signal): "was ended by \(signal.name)"
    }
  }
}
