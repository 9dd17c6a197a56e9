import CommandLine
import SceneModel
import ScenePlatform

/// The command of a `scene -- COMMAND`.
struct HostedProgram: Sendable {
  let path: String
  let words: [String]
  /// Where the scene's broker listens.
  let socket: String
  /// Whether the scene's own lines have standard input and output: then the program has no input,
  /// and its output goes where errors go.
  let isApart: Bool

  /// The name is looked for as a shell does it.
  init(_ words: [String], socket: String, isApart: Bool) throws(SystemError) {
    path = try Executable.find(words.first ?? "")
    // A command that cannot be started makes no session.
    try Executable.check(path)
    self.words = words
    self.socket = Directory.absolute(socket)
    self.isApart = isApart
  }

  /// As its scenes' client is called: so a session without a name comes back to the same command.
  var name: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.clipped(to: 100)
  }

  /// What it finds in its environment; nil takes a variable away.
  func environment(for launch: ProgramLaunch) -> [String: String?] {
    [
      "SCENE_SOCKET": socket, "SCENE_SESSION": launch.session.description,
      "SCENE_ACTIVITY": launch.activityPath, "SCENE_EVENTS": String(Self.eventsNumber),
      "SCENE_DATA": launch.dataPath, "SCENE_LAUNCH": nil,
    ]
  }

  /// The number under which it finds the events: one digit, which is all that some shells take.
  static let eventsNumber: Int32 = 3
}

/// What one run of the program is started with.
struct ProgramLaunch: Sendable {
  let session: SessionIdentifier
  let activityPath: String
  /// Where it may keep files with the session; nil where the broker has no such place.
  let dataPath: String?
  let events: EventPipe
}
