import SceneCommandLine
import SceneModel
import ScenePlatform

/// The command of a `scene -- COMMAND`.
struct HostedProgram: Sendable {
  let path: String
  let words: [String]
  /// The socket of the scene's broker.
  let socket: String
  /// Whether the scene uses standard input and output. The program then has no input, and its
  /// output goes to standard error.
  let isApart: Bool

  /// Searches the program as a shell does.
  init(_ words: [String], socket: String, isApart: Bool) throws(SystemError) {
    path = try Executable.find(words.first ?? "")
    // Fail before the session is created if the program cannot start.
    try Executable.check(path)
    self.words = words
    self.socket = Directory.absolute(socket)
    self.isApart = isApart
  }

  /// The client name, so that a session without a name returns to the same program.
  var name: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.clipped(to: 100)
  }

  /// The program's environment; nil removes a variable.
  func environment(for launch: ProgramLaunch) -> [String: String?] {
    [
      "SCENE_SOCKET": socket, "SCENE_SESSION": launch.session.description,
      "SCENE_ACTIVITY": launch.activityPath, "SCENE_EVENTS": String(Self.eventsNumber),
      "SCENE_DATA": launch.dataPath, "SCENE_LAUNCH": nil,
    ]
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
}
