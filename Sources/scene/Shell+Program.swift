import ScenePlatform

/// The program that a scene is: started and ended for it, and told what a shell would tell a job.
extension Shell {
  /// Whether there is a program that runs, or is stopped.
  var isHostingNow: Bool { hosting?.runner.isRunning == true }

  /// Whether it is a job of a shell's, with the terminal's keys or without.
  var isJob: Bool { isHostingNow && hosting?.runner.hasTerminal == true }

  // MARK: - What its scene wants

  func start(_ launch: ProgramLaunch, _ errand: Errand<SystemError?>) {
    guard let hosting else { return }
    do throws(SystemError) {
      try watch(launch.activityPath)
      try hosting.runner.start(launch)
      errand.finish(nil)
    } catch {
      errand.finish(error)
    }
    lendKeys()
  }

  /// Ends the program because its scene does.
  func dismiss(_ isForGood: Bool, _ errand: Errand<Void>) {
    guard endProgram(by: .terminate) else { return errand.finish(()) }
    hosting?.mayComeBack = !isForGood
    hosting?.errands.append(errand)
  }

  // MARK: - Signals

  /// Hands on what is the program's; false for what is not.
  func hand(_ delivery: SignalSource.Delivery) -> Bool {
    switch delivery.signal {
    case .child:
      takeProgramNews()
      return true
    case .interrupt where delivery.isFromKeyboard, .quit where delivery.isFromKeyboard:
      guard isHostingNow else { return false }
      hosting?.runner.send(delivery.signal)
      return true
    case .terminalStop:
      guard isJob else { return false }
      hosting?.runner.send(delivery.signal)
      return true
    default: return false
    }
  }

  // MARK: - Its end

  /// Asks the program to end, and sees to it that it does; false where none runs.
  func endProgram(by signal: Signal) -> Bool {
    guard let runner = hosting?.runner, runner.isRunning else { return false }
    runner.end(by: signal)
    scene.desk?.events?.end()
    if !isIn(.kill) { begin(.hangup) }
    return true
  }

  /// It has had time enough.
  func insistOnEnd(_ pause: Pause) {
    switch pause {
    case .hangup:
      hosting?.runner.end(by: .hangup)
      begin(.kill)
    default: hosting?.runner.send(.kill)
    }
  }

  /// Kills the program. What it wrote last is for the session's next scene.
  func dropProgram() {
    hosting?.runner.drop()
    scene.desk?.file.end()
  }

  private func takeProgramNews() {
    switch hosting?.runner.takeNews() {
    case .stopped?: if hosting?.runner.takeStop() == true { scene.goHome() }
    case .ended(let end)?: take(end)
    case nil: break
    }
  }

  private func take(_ end: ProcessEnd) {
    guard let hosting else { return }
    cancel(.hangup)
    cancel(.kill)
    let errands = hosting.errands
    hosting.errands = []
    for errand in errands { errand.finish(()) }
    hosting.end = !errands.isEmpty && hosting.mayComeBack ? nil : end
    if isStopped { return finish() }
    if !errands.isEmpty, ending == .unasked { return }
    hosting.isSavingLast = true
    begin(.lastSave)
    scene.saveLast()
  }

  /// What the program wrote last is saved, or cannot be: the scene ends as its program did. One that
  /// has failed leaves its scene without a word, as a process that dies.
  func finishProgram() {
    guard let hosting, hosting.isSavingLast else { return }
    hosting.isSavingLast = false
    cancel(.lastSave)
    if ending == .unasked, hosting.end?.isSuccess == false {
      hosting.isLost = true
      finish()
    } else {
      scene.leave()
    }
  }

  // MARK: - Its terminal

  /// Lends the terminal's keys to the program, now or when they come here: a shell brings a job to
  /// the foreground without a word to it.
  func lendKeys() {
    hosting?.runner.lendKeys()
    if hosting?.runner.waitsForKeys == true { begin(.loan) }
  }

  /// This process was stopped, and its program with it.
  func letProgramGoOn() {
    hosting?.runner.goOn()
    lendKeys()
  }

  // MARK: - Its file and its events

  /// Each run of the program has a directory of its own.
  private func watch(_ file: String) throws(SystemError) {
    if let before = hosting?.watch { try? poller.remove(before.number) }
    hosting?.watch = nil
    guard let directory = Directory.parent(of: file) else { return }
    let watch = try DirectoryWatch(directory)
    try poller.add(watch.number, token: Token.file, interest: .readable)
    hosting?.watch = watch
  }

  func takeWatch() {
    hosting?.watch?.drain()
    if !isIn(.file) { begin(.file) }
  }

  /// Waits for room in the program's pipe, for as long as something waits for that.
  func followEvents() throws(SystemError) {
    guard let hosting else { return }
    let pipe = scene.desk?.events.flatMap { $0.isBehind ? $0 : nil }
    guard pipe !== hosting.slowPipe else { return }
    if let before = hosting.slowPipe { try? poller.remove(before.writingNumber) }
    if let pipe { try poller.add(pipe.writingNumber, token: Token.events, interest: .writable) }
    hosting.slowPipe = pipe
  }
}
