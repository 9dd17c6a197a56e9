import SceneCommandLine
import SceneModel
import ScenePlatform

/// The command of a `scene -- COMMAND`.
struct HostedProgram: Sendable {
  private let command: WindowCommand
  /// The socket of the scene's broker.
  let socket: String
  /// Whether the scene uses standard input and output. The program then has no input, and its
  /// output goes to standard error.
  let isApart: Bool

  /// Fails if the program cannot start, before the session is created.
  init(
    _ command: WindowCommand, socket: String, isApart: Bool
  ) throws(SystemError) {
    self.command = command
    self.socket = Directory.absolute(socket)
    self.isApart = isApart
    _ = try Executable.path(of: words, in: directory)
  }

  var words: [String] { command.words }
  /// The working directory, an absolute path.
  var directory: String { command.program.directory }

  /// The client name, so that a session without a name returns to the same program.
  var name: String {
    Directory.lastPart(of: words.first ?? "").clipped(to: 100)
  }

  /// The program's environment; nil removes a variable.
  func environment(for launch: ProgramLaunch) -> [String: String?] {
    var changes = launch.environment.values
    for variable in command.program.environment ?? [] {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      changes[String(parts[0])] = parts.last.map(String.init)
    }
    let own: [String: String?] = [
      "SCENE_SOCKET": socket, "SCENE_SESSION": launch.session.description,
      "SCENE_ACTIVITY": launch.activityPath, "SCENE_EVENTS": String(Self.eventsNumber),
      "SCENE_DATA": launch.dataPath, "SCENE_LAUNCH": nil, "SCENE_LAST_END": launch.lastEnd,
    ]
    changes.merge(own) { $1 }
    // The PWD of the shell can have symbolic links, and stays if it is right.
    if (try? Directory.current()) != directory { changes["PWD"] = directory }
    return changes
  }

  /// The program's descriptor for events. Some shells accept only one digit.
  static let eventsNumber: Int32 = 3
}

/// The parameters of one run of the program.
struct ProgramLaunch: Sendable {
  let session: SessionIdentifier
  let activityPath: String
  /// The data directory of the session; nil if the broker has none.
  let dataPath: String?
  let events: EventPipe
  /// The command of this run, if it differs from the first one.
  var resume: [String]?
  /// The time until a failed program runs again; nil if it does not.
  let retry: Interval?
  /// The end of the session's last scene; nil for the first one.
  let lastEnd: String?
  /// The variables of the user's login, if they can have changed since the start of this process.
  let environment: LoginEnvironment
}
