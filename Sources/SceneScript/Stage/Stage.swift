import CommandLine
package import SceneModel
package import ScenePlatform

/// Where a script is played: a directory of its own, a broker, clients, and what happened to them.
///
/// It is used by one thread. Whatever it waits for, it waits until ``deadline`` and no longer.
package final class Stage {
  package struct Settings: Sendable {
    /// Where `scened` and `scene` are.
    package var programs: String
    package var environment: [String: String]
    package var hand: Hand
    /// Whether the directory stays.
    package var keeps = false
    /// Whether `trace` blocks are made to say what happens.
    package var accepts = false
    /// How long a line may take, in nanoseconds of the machine's clock.
    package var ceiling: Int64 = 30_000_000_000
    /// How long the broker may take to end, and before that to see that everybody else has gone.
    package var ending: Int64 = 30_000_000_000
    /// How long a process may take to end that nobody waits for.
    package var lingering: Int64 = 5_000_000_000
    /// Told of everybody who is there for a while only.
    package var remains = StageRemains()

    package init(programs: String, environment: [String: String], hand: Hand) {
      self.programs = programs
      self.environment = environment
      self.hand = hand
    }
  }

  let settings: Settings
  /// Of the whole stage; the script's files are in ``workplace``.
  package let directory: String
  package let environment: [String: String]

  /// By when the line that is being done must be over.
  package var deadline: Int64 = .max
  var broker: StagedBroker?
  /// Where the broker is to die, or was to; nil if nobody wants it to.
  var doom: Doom?
  /// The options that the broker was started with last, whether it came to run or not.
  package var brokerOptions: [String] = []
  /// Whether there is something that a broker can be started on.
  var hasStarted = false
  /// Clients by their names; those that have ended stay until another takes the name.
  private(set) var players: [String: Player] = [:]
  private var processes: [StagedProcess] = []
  /// What clients that were killed had started, each in a group of its own.
  var programs: [ProcessIdentity] = []
  let troupe: Troupe
  var chronicle = Chronicle()
  /// The line that is being done.
  var scriptLine: Script.Line?
  /// What the last line that ran something printed.
  package var output = ""
  var errors = ""
  /// Whether what the line asked for was given up, because only time could have brought it about.
  var isInVain = false
  /// Whether a client with a program of its own was started, which may act without being told to.
  var hasPrograms = false
  /// Why the last line with `!` failed, if nothing was done since.
  var reason: String?
  /// What a line found that looked, for whoever wanted it otherwise.
  var finding: String?
  /// What `trace` blocks would have to say instead.
  var rewrites: [BlockRewrite] = []

  package init(
    _ settings: Settings, files: [ScriptArchive.File] = []
  ) throws(StepFailure) {
    self.settings = settings
    let directory = Directory.newTemporary(
      prefix: "scene-script", in: settings.environment["TMPDIR"])
    self.directory = directory
    let length = Self.socket(in: directory).utf8.count
    guard length <= UnixSocket.maximumPathLength else {
      throw .broken(
        "a socket in \(PlainText.escaped(directory)) would have a path of \(length) bytes, and the "
          + "system allows \(UnixSocket.maximumPathLength); set TMPDIR to a shorter path")
    }
    troupe = try step { () throws(SystemError) in
      try Troupe(removing: settings.keeps ? nil : directory, socket: Self.socket(in: directory))
    }
    settings.remains.begin(troupe, keeping: settings.keeps ? directory : nil)
    environment = Self.environment(settings, socket: Self.socket(in: directory))
    do throws(SystemError) {
      // Only now: whoever removes it is there, whatever becomes of us.
      try Directory.makeTemporary(at: directory)
      try write(files)
    } catch {
      strike()
      throw StepFailure(error)
    }
  }

  private func write(_ files: [ScriptArchive.File]) throws(SystemError) {
    try Directory.make(workplace)
    for file in files {
      let path = workplace + "/" + file.name
      if let parent = Directory.parent(of: path) { try Directory.makeAll(parent) }
      try File.write(file.text.utf8, to: path)
    }
  }

  package var socket: String { Self.socket(in: directory) }

  private static func socket(in directory: String) -> String { directory + "/sock" }

  /// Where commands run, and relative paths begin.
  package var workplace: String { directory + "/work" }

  /// What the script's processes find: nothing of a broker that happens to run beside it.
  private static func environment(_ settings: Settings, socket: String) -> [String: String] {
    var variables = settings.environment.filter { name, _ in
      !name.hasPrefix("SCENE_") && !name.hasPrefix("LISTEN_") && name != "NOTIFY_SOCKET"
    }
    variables["SCENE_SOCKET"] = socket
    variables["PATH"] = settings.programs + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
    // A program that is killed on purpose needs no story of its stack.
    variables["SWIFT_BACKTRACE"] = variables["SWIFT_BACKTRACE"] ?? "enable=no"
    return variables
  }

  /// Starts a process that ends with the stage at the latest; in the stage's directory, or where we
  /// are ourselves.
  package func spawn(
    _ program: String, _ arguments: [String], descriptors: [Int32: Int32],
    environment: [String: String]? = nil, isOutside: Bool = false
  ) throws(SystemError) -> StagedProcess {
    let process = try StagedProcess(
      program, arguments, environment: environment ?? self.environment, descriptors: descriptors,
      workingDirectory: isOutside ? nil : workplace, group: troupe.group.number)
    processes.append(process)
    return process
  }

  /// What all brokers told, but for what is ours.
  package var story: [TraceEntry] { chronicle.entries }

  // MARK: - Who is there

  func add(_ player: Player) {
    noteSaving()
    players[player.name] = player
  }

  /// The same of an application delegate.
  func add(delegate player: Player) {
    add(player)
    chronicle.add(delegate: player)
  }

  /// In the order of their names.
  package var allPlayers: [Player] { players.sorted { $0.key < $1.key }.map(\.value) }

  func hasPlayer(_ name: String) -> Bool { players[name] != nil }

  /// The client of that name, which may have ended.
  package func player(_ name: String) throws(StepFailure) -> Player {
    if let player = players[name] { return player }
    let names = players.keys.sorted()
    throw .broken(
      "there is no client \(name)"
        + (names.isEmpty ? "; none was started" : "; there are \(names.joined(separator: ", "))"))
  }

  /// The client of that name, which must be there and able to answer.
  func livePlayer(_ name: String) throws(StepFailure) -> Player {
    let player = try player(name)
    if let end = player.process.end { throw .broken("\(name) has \(end.told)") }
    if player.isFrozen { throw .broken("\(name) is frozen; let it go on with: thaw \(name)") }
    return player
  }

  package var hasBroker: Bool { broker != nil }

  func liveBroker() throws(StepFailure) -> StagedBroker {
    guard let broker else {
      throw .broken("no broker runs here; start one with: broker start")
    }
    return broker
  }

  /// What is done from here on, for whoever is told that it was interrupted.
  func note(_ deed: String) { settings.remains.note(deed, on: troupe) }

  // MARK: - The end

  /// Ends every process that is neither a client that was spoken to nor the broker.
  func finishOffCommands() {
    for process in processes where process !== broker?.process { process.finishOff() }
  }

  /// Ends every process, and removes the directory unless it is to be kept.
  package func strike() {
    settings.remains.end(troupe)
    broker = nil
  }
}

extension ProcessEnd {
  /// Behind "it has".
  package var told: String {
    switch self {
    case .exited(let code): "ended with status \(code)"
    case .signalled(let signal): "been ended by \(signal)"
    }
  }

  /// The same where another end was wanted.
  func told(instead wanted: ProcessEnd) -> String {
    switch (self, wanted) {
    case (.exited, .exited(let code)): "\(told), not \(code)"
    case (.signalled, .signalled(let signal)): "\(told), not by \(signal)"
    case (.signalled, .exited(let code)): "\(told); it was to end with status \(code)"
    case (.exited, .signalled(let signal)): "\(told); it was to be ended by \(signal)"
    }
  }
}
