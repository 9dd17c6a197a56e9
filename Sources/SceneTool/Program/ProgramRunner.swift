import ScenePlatform

/// Runs a scene's program and manages its terminal. Only the main thread uses it.
final class ProgramRunner {
  enum StateChange {
    /// Stopped by Ctrl-Z, by an access to the terminal in the background, or by another process.
    case stopped(Signal)
    case ended(ProcessEnd)
  }

  private let program: HostedProgram
  private let screen: Screen
  private var terminal: TerminalForegroundGroup?
  private var child: ChildProcess?
  private var stoppedInBackground = false

  init(_ program: HostedProgram, _ screen: Screen) {
    self.program = program
    self.screen = screen
    terminal = program.isApart ? nil : TerminalForegroundGroup()
  }

  var isRunning: Bool { child != nil }

  /// The name of the program for messages.
  var name: String { program.name }

  var hasTerminal: Bool { terminal != nil }

  /// Whether the terminal that the program had is closed.
  var isTerminalClosed: Bool { terminal?.isClosed == true }

  /// Whether the program runs and is not in the foreground.
  var waitsForForeground: Bool { isRunning && terminal?.programHasForeground == false }

  /// Starts the program in its own process group, so that signals reach all of its processes.
  /// Returns the group.
  func start(_ launch: ProgramLaunch) throws(SystemError) -> ProcessGroup {
    let keys = terminal?.terminalForNewProgram()
    screen.isOwnedByProgram = !program.isApart
    do throws(SystemError) {
      let child = try spawn(launch, keys)
      self.child = child
      return ProcessGroup(child.pid)
    } catch {
      reclaimScreen(restoringMode: true)
      throw error
    }
  }

  private func spawn(
    _ launch: ProgramLaunch, _ keys: Int32?
  ) throws(SystemError) -> ChildProcess {
    var descriptors = [HostedProgram.eventsNumber: launch.events.readingNumber]
    guard program.isApart else { return try spawn(launch, keys, giving: descriptors) }
    // Stays open until the program has its duplicate.
    let null = try File.open("/dev/null", .read)
    descriptors[StandardStream.input.number] = null.number
    descriptors[StandardStream.output.number] = StandardStream.error.number
    return try spawn(launch, keys, giving: descriptors)
  }

  private func spawn(
    _ launch: ProgramLaunch, _ keys: Int32?, giving descriptors: [Int32: Int32]
  ) throws(SystemError) -> ChildProcess {
    let words = launch.resume ?? program.words
    let path = try Executable.path(of: words, in: program.directory)
    Signal.restoreChildEnds()
    return try ChildProcess.spawn(
      path, Array(words.dropFirst()), name: words[0], changing: program.environment(for: launch),
      descriptors: descriptors, workingDirectory: program.directory, group: 0, terminal: keys,
      death: .terminate, keepsIgnored: true)
  }

  private func reclaimScreen(restoringMode: Bool, restoringScreen: Bool = false) {
    terminal?.reclaim(restoringMode: restoringMode, restoringScreen: restoringScreen)
    screen.isOwnedByProgram = false
  }

  /// Restores the terminal mode of this process, which a failed program can have changed, and
  /// discards the input that the program did not read.
  func restoreTerminalMode() { terminal?.restoreModeDiscardingInput() }

  // MARK: - Signals

  /// Sends a signal to the program's process group.
  func send(_ signal: Signal) {
    if let child { ProcessGroup(child.pid).send(signal) }
  }

  /// Sends a signal and continues a stopped program.
  func end(by signal: Signal = .terminate) {
    send(signal)
    send(.continue)
  }

  /// Kills the program and restores the terminal.
  func kill() {
    send(.kill)
    reclaimScreen(restoringMode: true, restoringScreen: true)
  }

  /// Continues the program after a stop. The shell has set the foreground group meanwhile.
  func resume() {
    terminal?.update(for: child.map { ProcessGroup($0.pid) })
    moveToForeground()
    send(.continue)
  }

  /// Moves the program to the foreground if this process is there.
  func moveToForeground() {
    if let child { terminal?.moveToForeground(ProcessGroup(child.pid)) }
  }

  // MARK: - State changes

  /// The next change of the program's state; nil if there is none.
  func takeStateChange() -> StateChange? {
    guard let child, let change = try? child.takeStateChange() else { return nil }
    switch change {
    case .stopped(let signal): return .stopped(signal)
    case .ended: return .ended(reap(child))
    }
  }

  /// Reaps the program, and sends SIGHUP to the rest of its group, as a closed terminal does.
  private func reap(_ child: ChildProcess) -> ProcessEnd {
    end(by: .hangup)
    let end = (try? child.reap()) ?? .exited(0)
    self.child = nil
    reclaimScreen(restoringMode: end.signal != nil, restoringScreen: end.isSudden)
    return end
  }

  /// Reaps the processes that lost their parents, if this process is the first one of a container.
  func reapOrphans() {
    guard ProcessIdentity.currentPID == 1 else { return }
    ChildProcess.reapEnded(sparing: child.map { [$0] } ?? [])
  }

  /// Whether a stop of the program by this signal must stop the whole job. Continues the program if
  /// no shell could continue it, and if it is in the foreground since its access to the terminal.
  func mustStopJob(after signal: Signal) -> Bool {
    guard let child, let terminal else { return false }
    stoppedInBackground = signal == .terminalInput || signal == .terminalOutput
    let isInForeground = terminal.isForeground(ProcessGroup(child.pid))
    guard !ProcessGroup.hasNoShell, !(stoppedInBackground && isInForeground) else {
      send(.continue)
      return false
    }
    self.terminal?.reclaim(restoringMode: true)
    return true
  }

  /// Whether the program stopped in the background and this process is in the foreground now, so
  /// that the program can continue.
  var canContinueInForeground: Bool {
    isRunning && stoppedInBackground && terminal?.isInForeground == true
  }
}

extension ProcessEnd {
  /// Whether the program, or the one that it ran, probably had no chance to restore the screen:
  /// after a signal, and after ssh lost its connection.
  fileprivate var isSudden: Bool { shellCode > 128 }
}
