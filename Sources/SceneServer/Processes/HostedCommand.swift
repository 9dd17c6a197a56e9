package import SceneCommandLine
package import ScenePlatform

/// The command of a private broker. It starts when the broker is ready, and the broker ends with
/// it.
package final class HostedCommand {
  /// The signals that the broker handles while the command runs. Keys of the terminal reach both,
  /// because the command is in the process group of the broker.
  static let signals: [Signal] = [.terminate, .interrupt, .quit, .hangup, .child]

  let name: String
  private let path: String
  private let arguments: [String]
  private let descriptors: [Int32]
  private var child: ChildProcess?
  /// The exit of the command; nil while it runs.
  private(set) var end: ProcessEnd?

  /// The command inherits `descriptors`, which are open,
  /// beside the first three.
  package init(
    _ name: String, _ arguments: [String], keeping descriptors: [Int32] = []
  ) throws(ProgramError) {
    self.name = name
    self.arguments = arguments
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
      child = try ChildProcess.spawn(
        path, arguments, name: name, changing: Self.changes(socket: socket),
        descriptors: Dictionary(descriptors.map { ($0, $0) }) { $1 }, death: .hangup,
        keepsIgnored: true)
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

  /// Whether SIGHUP has a receiver.
  var hasStarted: Bool { child != nil }

  /// Forwards a signal. The process identifier is valid until the command is reaped.
  package func send(_ signal: Signal) {
    guard end == nil else { return }
    try? child?.send(signal)
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
