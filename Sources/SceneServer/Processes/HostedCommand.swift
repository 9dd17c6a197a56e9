package import ScenePlatform

/// A command that a broker is there for: started when the broker is ready, and the broker ends with
/// it.
package final class HostedCommand {
  /// What the broker must hear of then. Keys of the terminal come to both.
  static let signals: [Signal] = [
    .terminate, .interrupt, .quit, .hangup, .child, .terminalStop, .continue,
  ]

  let name: String
  private let path: String
  private let words: [String]
  private let descriptors: [Int32]
  private var child: ChildProcess?
  /// How it ended, once it has.
  private(set) var end: ProcessEnd?

  /// The command's name and arguments; and descriptors of this process that it keeps beside the
  /// first three, all open.
  package init(
    _ name: String, _ arguments: [String], keeping descriptors: [Int32] = []
  ) throws(ServerError) {
    self.name = name
    words = [name] + arguments
    self.descriptors = descriptors
    do throws(SystemError) {
      path = try Executable.find(name)
    } catch {
      throw ServerError(starting: error)
    }
  }

  /// Starts it, without a shell.
  package func start(socket: String) throws(ServerError) {
    Signal.restoreChildEnds()
    ChildProcess.adoptOrphans()
    do throws(SystemError) {
      child = try ChildProcess.spawnForegroundJob(
        path, words, keeping: descriptors, changing: Self.changes(socket: socket))
    } catch {
      throw ServerError(starting: error)
    }
  }

  /// What is told to this process alone, by a supervisor or by the scene that it runs in, is not for
  /// the command.
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

  /// What a shell would say of it; of one that was hung up on and goes on all the same, that.
  package var statusForCaller: Int32 { (end ?? .signalled(.hangup)).shellCode }

  package var pid: Int32? { child?.pid }

  /// Whether there is something to be hung up on.
  var hasStarted: Bool { child != nil }

  /// Hands a signal on. Until it was reaped its number is its own.
  package func send(_ signal: Signal) {
    guard end == nil else { return }
    try? child?.send(signal)
  }

  // MARK: - Being stopped, as by Ctrl-Z

  /// The job is to stop; times are by the monotonic clock.
  private struct Stop {
    let begin = SystemClock.monotonic()
    /// When the command had.
    var command: Int64?
    /// Whether the whole process group was told.
    let isOfGroup: Bool
  }

  private var stop: Stop?

  /// The job is to stop. The broker goes on for as long as the command does: its scenes have
  /// something to say before they stop.
  func beginStop(isFromKeyboard: Bool) {
    guard end == nil, child != nil else { return }
    if !isFromKeyboard, !hasStoppedByItself { send(.terminalStop) }
    stop = Stop(isOfGroup: isFromKeyboard)
  }

  /// Whether the command has stopped, and no signal told the job to: as by `suspend` in a
  /// shell. The terminal is then this process's to give back.
  var hasStoppedByItself: Bool {
    guard stop == nil, end == nil, let child, Terminal.isAtHand else { return false }
    return ProcessActivity(of: child.pid)?.state == .stopped
  }

  /// The job goes on, and so does the command, whichever of them was told.
  func goOn() {
    stop = nil
    guard let child, ProcessActivity(of: child.pid)?.state == .stopped else { return }
    send(.continue)
  }

  /// How long others of the job may take to stop once the command has, and the command at most; in
  /// nanoseconds.
  private static let stopTime: (others: Int64, command: Int64) = (2_000_000_000, 10_000_000_000)

  /// When to look again whether all have stopped, in nanoseconds; nil for never.
  var timeToLook: Int64? { stop == nil ? nil : 10_000_000 }

  /// Stops this process if the job is to stop, and the others of it have.
  func stopIfDue() throws(SystemError) {
    guard let stop, let child else { return }
    let now = SystemClock.monotonic()
    guard end == nil, ProcessActivity(of: child.pid)?.state == .stopped else {
      // A command that does not mind goes on.
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

  /// Those who know that they are hung up on. They are told once: a shell that does something about it
  /// would do that again.
  private(set) var hungUpOn: Set<ChildProcess> = []

  /// Hangs up on it, as when a terminal is closed.
  func hangUp() {
    guard end == nil, let child else { return }
    hangUp(on: child)
  }

  /// The same for a process that it has left.
  func hangUp(on process: ChildProcess) {
    guard hungUpOn.insert(process).inserted else { return }
    try? process.send(.hangup)
    try? process.send(.continue)
  }

  /// Reaps it and whatever it has left behind, as far as they have ended, but for others' children.
  func reap(sparing others: Set<ChildProcess>) {
    if end == nil { end = child?.reapIfEnded() }
    ChildProcess.reapEnded(sparing: others.union(child.map { [$0] } ?? []))
  }
}

extension ServerError {
  /// As shells and `env` tell what is not there from what will not start.
  fileprivate init(starting error: SystemError) {
    self.init(error.isNotFound ? .noCommand : .badCommand, error.description)
  }
}
