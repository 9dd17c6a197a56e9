package import ScenePlatform

/// A command that a broker is there for: started when the broker is ready, and the broker ends with
/// it.
package final class HostedCommand {
  /// What the broker must hear of then. Keys of the terminal come to both.
  static let signals: [Signal] = [.terminate, .interrupt, .quit, .hangup, .child]

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
      child = try ChildProcess.spawnCompanion(
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
      "SCENE_SESSION", "SCENE_ACTIVITY", "SCENE_EVENTS", "SCENE_DATA",
      "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ] {
      changes.updateValue(nil, forKey: name)
    }
    return changes
  }

  /// What a shell would say of it; of one that was hung up on and goes on all the same, that.
  package var statusForCaller: Int32 { (end ?? .signalled(.hangup)).shellCode }

  /// Whether there is something to be hung up on.
  var hasStarted: Bool { child != nil }

  /// Hands a signal on. Until it was reaped its number is its own.
  package func send(_ signal: Signal) {
    guard end == nil else { return }
    try? child?.send(signal)
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

  /// Reaps it and whatever it has left behind, as far as they have ended.
  func reap() {
    while let (process, end) = ChildProcess.reapAny() {
      if process == child { self.end = end }
    }
  }
}

extension ServerError {
  /// As shells and `env` tell what is not there from what will not start.
  fileprivate init(starting error: SystemError) {
    self.init(error.isNotFound ? .noCommand : .badCommand, error.description)
  }
}
