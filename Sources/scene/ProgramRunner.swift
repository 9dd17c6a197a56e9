import ScenePlatform

/// A scene's program while it runs, and the terminal that it has then. The main thread's.
final class ProgramRunner {
  enum News {
    /// By Ctrl-Z, or because it wants keys that do not come here.
    case stopped
    case ended(ProcessEnd)
  }

  private let program: HostedProgram
  private let screen: Screen
  private var terminal: TerminalLoan?
  private var child: ChildProcess?
  private var stoppedInBackground = false

  init(_ program: HostedProgram, _ screen: Screen) {
    self.program = program
    self.screen = screen
    terminal = program.isApart ? nil : TerminalLoan()
  }

  var isRunning: Bool { child != nil }

  var hasTerminal: Bool { terminal != nil }

  /// Whether the terminal's keys may yet come to be lent.
  var waitsForKeys: Bool { isRunning && terminal?.isLent == false }

  /// In a group of its own, as a shell's job, so that all of it can be told to end.
  func start(_ launch: ProgramLaunch) throws(SystemError) {
    let keys = terminal?.begin()
    screen.isLent = !program.isApart
    do throws(SystemError) {
      child = try spawn(launch, keys)
    } catch {
      takeScreenBack(restoringMode: true)
      throw error
    }
  }

  private func spawn(
    _ launch: ProgramLaunch, _ keys: Int32?
  ) throws(SystemError) -> ChildProcess {
    var descriptors = [HostedProgram.eventsNumber: launch.events.readingNumber]
    // It lives until the program has its own.
    let null = try File.open("/dev/null", .read)
    if program.isApart {
      descriptors[StandardStream.input.number] = null.number
      descriptors[StandardStream.output.number] = StandardStream.error.number
    }
    Signal.restoreChildEnds()
    return try ChildProcess.spawnCompanion(
      program.path, program.words, giving: descriptors,
      changing: program.environment(for: launch), group: .own(terminal: keys), death: .terminate)
  }

  private func takeScreenBack(restoringMode: Bool) {
    terminal?.takeBack(restoringMode: restoringMode)
    screen.isLent = false
  }

  // MARK: - Telling it

  /// Tells it and whoever it has started.
  func send(_ signal: Signal) {
    if let child { ProcessGroup(child.pid).send(signal) }
  }

  /// Asks it to end, also where it was stopped.
  func end(by signal: Signal = .terminate) {
    send(signal)
    send(.continue)
  }

  /// Kills it, and leaves nothing of it on the terminal.
  func drop() {
    send(.kill)
    takeScreenBack(restoringMode: true)
  }

  /// After a stop the keys are where whoever continued this process wants them.
  func goOn() {
    terminal?.forget()
    lendKeys()
    send(.continue)
  }

  /// Lends it the terminal's keys, if they have come here.
  func lendKeys() {
    if let child { terminal?.lend(to: ProcessGroup(child.pid)) }
  }

  // MARK: - Hearing of it

  /// What has become of it.
  func takeNews() -> News? {
    guard let child, let news = try? child.takeNews() else { return nil }
    switch news {
    case .stopped: return .stopped
    case .ended: return .ended(bury(child))
    }
  }

  /// Whoever it has left behind is hung up on, as when a terminal is closed.
  private func bury(_ child: ChildProcess) -> ProcessEnd {
    end(by: .hangup)
    let end = (try? child.reap()) ?? .exited(0)
    self.child = nil
    takeScreenBack(restoringMode: end.isBySignal)
    return end
  }

  /// It has stopped: whether that is to be a stop of the whole job, and not of a program that nobody
  /// could continue.
  func takeStop() -> Bool {
    guard terminal != nil else { return false }
    guard !ProcessGroup.hasNoShell else {
      send(.continue)
      return false
    }
    stoppedInBackground = terminal?.isLent == false
    terminal?.takeBack(restoringMode: true)
    return true
  }

  /// Whether it has stopped because keys did not come here, and they do by now: a shell brings a job
  /// that still runs to the foreground without a word to it.
  var hasNoReasonToStop: Bool { isRunning && stoppedInBackground && terminal?.isOurs == true }
}

extension ProcessEnd {
  fileprivate var isBySignal: Bool {
    switch self {
    case .exited: false
    case .signalled: true
    }
  }
}
