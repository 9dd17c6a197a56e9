package import SceneCommandLine
package import ScenePlatform

/// The command of a private broker. It starts when the broker is ready, and the broker ends with
/// it.
package final class HostedCommand {
  /// The signals that the broker handles while the command runs. Keys of the terminal reach both.
  static let signals: [Signal] = [
    .terminate, .interrupt, .quit, .hangup, .child, .terminalStop, .continue,
  ]

  let name: String
  private let path: String
  private let words: [String]
  private let descriptors: [Int32]
  private var child: ChildProcess?
  /// The exit of the command; nil while it runs.
  private(set) var end: ProcessEnd?

  /// `words` are the name and the arguments. The command inherits `descriptors`, which are open,
  /// beside the first three.
  package init(
    _ name: String, _ arguments: [String], keeping descriptors: [Int32] = []
  ) throws(ProgramError) {
    self.name = name
    words = [name] + arguments
    self.descriptors = descriptors
    do throws(SystemError) {
      path = try Executable.find(name)
    } catch {
      throw ProgramError(starting: error)
    }
  }

  /// Starts the command without a shell.
  package func start(socket: String) throws(ProgramError) {
    Signal.restoreChildEnds()
    ChildProcess.adoptOrphans()
    do throws(SystemError) {
      child = try ChildProcess.spawnForegroundJob(
        path, words, keeping: descriptors, changing: Self.changes(socket: socket))
    } catch {
      throw ProgramError(starting: error)
    }
  }

  /// Variables of a supervisor or of a surrounding scene are for this process only.
  private static func changes(socket: String) -> [String: String?] {
    var changes: [String: String?] = ["SCENE_SOCKET": socket]
    for name in [
      "SCENE_SESSION", "SCENE_LAUNCH", "SCENE_ACTIVITY", "SCENE_EVENTS", "SCENE_DATA",
      "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ] {
      changes.updateValue(nil, forKey: name)
    }
    return changes
  }

  /// The exit status as a shell reports it. For a command that survived SIGHUP, the status of
  /// SIGHUP.
  package var statusForCaller: Int32 { (end ?? .signalled(.hangup)).shellCode }

  package var pid: Int32? { child?.pid }

  /// Whether SIGHUP has a receiver.
  var hasStarted: Bool { child != nil }

  /// Forwards a signal. The process identifier is valid until the command is reaped.
  package func send(_ signal: Signal) {
    guard end == nil else { return }
    try? child?.send(signal)
  }

  // MARK: - Being stopped, as by Ctrl-Z

  /// A stop of the job; times are those of the monotonic clock.
  private struct Stop {
    let begin = SystemClock.monotonic()
    /// The time at which the command stopped.
    var command: Int64?
    /// Whether the whole process group received the signal.
    let isOfGroup: Bool
  }

  private var stop: Stop?

  /// Begins a stop of the job. The broker runs until the command stops, because its scenes send
  /// messages before they stop.
  func beginStop(isFromKeyboard: Bool) {
    guard end == nil, child != nil else { return }
    if !isFromKeyboard, !hasStoppedByItself { send(.terminalStop) }
    stop = Stop(isOfGroup: isFromKeyboard)
  }

  /// Whether the command stopped without a stop of the job, as by `suspend` in a shell. This
  /// process must then give the terminal back.
  var hasStoppedByItself: Bool {
    guard stop == nil, end == nil, let child, Terminal.isAtHand else { return false }
    return ProcessActivity(of: child.pid)?.state == .stopped
  }

  /// Continues the job and the command.
  func resume() {
    stop = nil
    guard let child, ProcessActivity(of: child.pid)?.state == .stopped else { return }
    send(.continue)
  }

  /// Nanoseconds that other processes of the job have to stop after the command, and that the
  /// command has.
  private static let stopTime: (others: Int64, command: Int64) = (2_000_000_000, 10_000_000_000)

  /// Nanoseconds until the next check whether all processes have stopped; nil for none.
  var pollInterval: Int64? { stop == nil ? nil : 10_000_000 }

  /// Stops this process after the other processes of the job.
  func stopIfDue() throws(SystemError) {
    guard let stop, let child else { return }
    let now = SystemClock.monotonic()
    guard end == nil, ProcessActivity(of: child.pid)?.state == .stopped else {
      // The command ignores the stop and runs on.
      if end != nil || now - stop.begin > Self.stopTime.command { self.stop = nil }
      return
    }
    let stopped = stop.command ?? now
    self.stop?.command = stopped
    let waits = stop.isOfGroup && ProcessIdentity.othersOfGroupRun
    if waits, now - stopped < Self.stopTime.others { return }
    self.stop = nil
    try CurrentProcess.stop()
  }

  /// The processes that received SIGHUP. Each receives it once, because a shell with a trap would
  /// run the trap again.
  private(set) var hangupReceivers: Set<ChildProcess> = []

  /// Sends SIGHUP to the command, as a closed terminal does.
  func sendHangup() {
    guard end == nil, let child else { return }
    sendHangup(to: child)
  }

  /// Sends SIGHUP to a process that the command left running.
  func sendHangup(to process: ChildProcess) {
    guard hangupReceivers.insert(process).inserted else { return }
    try? process.send(.hangup)
    try? process.send(.continue)
  }

  /// Reaps the command and the ended processes that it left running, except `others`.
  func reap(sparing others: Set<ChildProcess>) {
    if end == nil { end = child?.reapIfEnded() }
    ChildProcess.reapEnded(sparing: others.union(child.map { [$0] } ?? []))
  }
}

extension ProgramError {
  /// The exit statuses that shells and `env` use.
  fileprivate init(starting error: SystemError) {
    self.init(error.isNotFound ? .noCommand : .badCommand, error.description)
  }
}
