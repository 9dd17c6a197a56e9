import SceneCommandLine
import SceneModel
import ScenePlatform

/// Starts and ends the hosted program, and forwards signals as a shell does for a job.
extension ConsoleLoop {
  /// Whether a program runs or is stopped.
  var isProgramRunning: Bool { hosted?.runner.isRunning == true }

  /// Whether the program is a job with a terminal, in the foreground or the background.
  var isJob: Bool { isProgramRunning && hosted?.runner.hasTerminal == true }

  // MARK: - Start and end

  func start(_ launch: ProgramLaunch, _ waiter: BlockingResult<SystemError?>) {
    guard let hosted else { return }
    do throws(SystemError) {
      try watch(launch.activityPath)
      scene.noteProgram(try hosted.start(launch), hosted.runner.name, of: launch.session)
      waiter.finish(nil)
    } catch {
      waiter.finish(error)
    }
    moveToForeground()
  }

  /// Ends the program at the end of its scene.
  func dismiss(_ isForGood: Bool, _ waiter: BlockingResult<Void>) {
    stopRetrying()
    guard endProgram(by: .terminate) else { return waiter.finish(()) }
    hosted?.mayComeBack = !isForGood
    hosted?.waiters.append(waiter)
  }

  // MARK: - Signals

  /// Forwards a signal to the program. Returns false for a signal that the scene handles.
  func forward(_ delivery: SignalSource.Delivery) -> Bool {
    switch delivery.signal {
    case .child:
      programStateChanged()
      return true
    case .interrupt where delivery.isFromKeyboard, .quit where delivery.isFromKeyboard:
      guard isProgramRunning else { return false }
      hosted?.runner.send(delivery.signal)
      return true
    case .terminalStop:
      // A second Ctrl-Z does not wait for the broker.
      guard isJob, !isRunning(.suspension) else { return false }
      hosted?.runner.send(delivery.signal)
      return true
    default: return false
    }
  }

  // MARK: - Termination

  /// Sends a signal to the program and schedules SIGHUP and SIGKILL. Returns false if no program
  /// runs.
  func endProgram(by signal: Signal) -> Bool {
    guard let runner = hosted?.runner, runner.isRunning else { return false }
    runner.end(by: signal)
    scene.programState?.events?.end()
    if !isRunning(.kill) { begin(.hangup) }
    return true
  }

  /// Kills the program. The session's next scene recovers the last activity.
  func killProgram() {
    hosted?.runner.kill()
    scene.programState?.file.end()
  }

  private func programStateChanged() {
    hosted?.runner.reapOrphans()
    switch hosted?.runner.takeStateChange() {
    case .stopped(let signal)?:
      if let holder = Holder.current.withLock({ $0 }) {
        hosted?.runner.send(.continue)
        if signal == .terminalStop || signal == .stop { holder.detach(by: .stopped) }
        return
      }
      guard hosted?.runner.mustStopJob(after: signal) == true else { return }
      // A stopped program comes to the foreground only as it continues.
      cancel(.foreground)
      suspend()
    case .ended(let end)?: take(end)
    case nil: break
    }
  }

  private func take(_ end: ProcessEnd) {
    guard let hosted else { return }
    cancel(.hangup)
    cancel(.kill)
    let waiters = hosted.waiters
    hosted.waiters = []
    for waiter in waiters { waiter.finish(()) }
    hosted.end = !waiters.isEmpty && hosted.mayComeBack ? nil : end
    if isStopped {
      scene.readLastActivity()
      return finish()
    }
    if !waiters.isEmpty, !isEnding { return }
    if !isEnding, !isTerminalClosed, awaitRetry(after: end) { return hosted.end = nil }
    if !isEnding { report(end, hosted.runner.name) }
    hosted.lastRequest = .save
    begin(.lastRequest)
    scene.saveLast()
  }

  /// Reports a signal that ended the program, as shells do. Ctrl-C and a closed reader are silent.
  private func report(_ end: ProcessEnd, _ name: String) {
    guard let signal = end.signal, signal != .interrupt, signal != .brokenPipe, !isTerminalClosed
    else { return }
    screen.complain(
      "scene: \(PlainText.word(name)) was ended by \(signal.name); to run it again: \(scene.again)")
  }

  /// Ends the scene after its last request. A failed program ends its scene like a crashed process,
  /// and the broker gets the status.
  func finishLastRequest() {
    guard let hosted, let request = hosted.lastRequest else { return }
    cancel(.lastRequest)
    switch request {
    case .save:
      guard !isEnding, !isTerminalClosed, let end = hosted.end, !end.isSuccess else {
        hosted.lastRequest = nil
        return leave()
      }
      hosted.lastRequest = .report
      begin(.lastRequest)
      scene.report(hosted.exit(end))
    case .report:
      hosted.lastRequest = nil
      hosted.isLost = true
      finish()
    }
  }

  func leave() {
    stopRetrying()
    scene.leave(by: finalCause)
  }

  var isTerminalClosed: Bool { hosted?.runner.isTerminalClosed == true }

  // MARK: - Terminal

  /// Moves the program to the foreground, or polls until it can. A shell sends no signal to a
  /// running job that it moves to the foreground.
  func moveToForeground() {
    hosted?.runner.moveToForeground()
    if hosted?.runner.waitsForForeground == true { begin(.foreground) }
  }

  /// Continues the program after a stop of this process.
  func continueProgram() {
    hosted?.runner.resume()
    moveToForeground()
  }

  // MARK: - File and events

  /// Each run of the program has its own directory.
  private func watch(_ file: String) throws(SystemError) {
    if let before = hosted?.watch { try? poller.remove(before.number) }
    hosted?.watch = nil
    guard let directory = Directory.parent(of: file) else { return }
    let watch = try DirectoryWatch(directory)
    try poller.add(watch.number, token: Token.file, interest: .readable)
    hosted?.watch = watch
  }

  func takeWatch() {
    hosted?.watch?.drain()
    if !isRunning(.file) { begin(.file) }
  }

  /// Polls the program's pipe while events wait for free space.
  func pollEventPipe() throws(SystemError) {
    guard let hosted else { return }
    let pipe = scene.programState?.events.flatMap { $0.isBehind ? $0 : nil }
    guard pipe !== hosted.slowPipe else { return }
    if let before = hosted.slowPipe { try? poller.remove(before.writingNumber) }
    if let pipe { try poller.add(pipe.writingNumber, token: Token.events, interest: .writable) }
    hosted.slowPipe = pipe
  }
}
