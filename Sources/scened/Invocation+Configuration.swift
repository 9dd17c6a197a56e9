import SceneBroker
import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer

extension Invocation {
  /// The configuration of the command line. `directory` contains the socket and the state that the
  /// command line does not place. `upgrade` is the state of the program that this one replaces.
  func configuration(
    in directory: String?, upgrade: UpgradeSource? = nil
  ) throws -> ServerConfiguration {
    let application = try applicationName()
    try Environment.check()
    let places = RuntimePaths(application: application)
    let socket = value("socket") ?? directory.map { $0 + PrivateRuntimeDirectory.socketName }
    let state = value("state") ?? directory.map { $0 + "/state" }
    var configuration = ServerConfiguration(
      application: application, socketPath: try places.socket(socket),
      stateDirectory: try places.stateDirectory(state), version: productVersion)
    let isNamed = places.namesSocket(socket)
    configuration.makingForSocket = isNamed ? .none : .all
    configuration.options = RuntimePaths.options(
      application: isNamed ? nil : application.description,
      socket: isNamed ? Directory.absolute(configuration.socketPath) : nil)
    if let runtime = places.runtimeDirectory(socket) {
      guard File.exists(runtime) else { throw ProgramError.missingRuntimeDirectory(runtime) }
      configuration.makingForSocket = .last
    }
    configuration.makingForState = state == nil ? .all : .last
    if value("state") == nil, directory != nil { configuration.wayToState = "TMPDIR" }
    configuration.durability = value("durability").flatMap(Durability.init(rawValue:)) ?? .disk
    configuration.clock = value("clock").flatMap(ClockKind.init(rawValue:)) ?? .real
    if has("faults") { configuration.faults = Faults() }
    configuration.isConfined = has("confine")
    guard !configuration.isConfined || trailing == nil else {
      throw usageError("--confine: a confined broker starts no COMMAND; remove one of them")
    }
    configuration.upgrade = upgrade
    if upgrade == nil {
      configuration.readyDescriptor = try descriptor("ready-fd", redirection: ">")
    }
    if !has("check-upgrade") {
      configuration.lifetimeDescriptor = try descriptor("leash-fd", redirection: "<")
    }
    for limit in values("limit") { try set(limit, in: &configuration.limits) }
    if let conflict = configuration.limits.conflict { throw usageError("--limit: \(conflict)") }
    configuration.manifestSource = try manifestSource(
      for: application, piped: upgrade?.state?.manifest?.json.bytes)
    if let source = configuration.manifestSource {
      let loaded = try source.read(false).get()
      configuration.manifest = loaded.manifest
      configuration.manifestWarnings = loaded.warnings
    } else {
      try manifestOverrides(of: application).apply(to: &configuration.manifest)
    }
    return configuration
  }

  private func applicationName() throws(UsageError) -> ApplicationName {
    do throws(EnvironmentError) {
      return try ApplicationName(value("application"))
    } catch {
      throw usageError(error.description)
    }
  }

  /// A descriptor from the parent process. Checks it before the program opens a file, which could
  /// get its number.
  private func descriptor(
    _ option: String, redirection: String
  ) throws(UsageError) -> Int32? {
    guard let number = integer(option).map(Int32.init) else { return nil }
    try checkOpen(number, option, redirection: redirection)
    return number
  }

  private func checkOpen(
    _ number: Int32, _ option: String, redirection: String
  ) throws(UsageError) {
    guard FileDescriptor.isOpen(number) else {
      throw usageError(
        "--\(option): descriptor \(number) is not open; open it in the shell that starts scened: "
          + "scened --\(option) \(number) \(number)\(redirection)PIPE")
    }
  }

  /// The command that the broker serves.
  func command() throws -> HostedCommand? {
    guard let words = trailing else {
      guard values("keep-fd").isEmpty else {
        throw usageError("--keep-fd: no COMMAND is given; put one at the end, after --")
      }
      return nil
    }
    guard let name = words.first, !name.isEmpty else {
      let found = words.isEmpty ? "" : ", found an empty word"
      throw usageError("expected a command after --\(found); for example: scened -- pytest")
    }
    let kept = values("keep-fd").compactMap { Int32($0) }
    for number in kept { try checkOpen(number, "keep-fd", redirection: "<") }
    return try HostedCommand(name, Array(words.dropFirst()), keeping: kept)
  }

  /// The log of the daemon. With a command, only warnings appear.
  var log: Log {
    let level = trailing == nil || has("log-level") ? value("log-level") : nil
    return Log(
      level: level.flatMap(Log.Level.init(rawValue:)) ?? .warning,
      format: value("log-format").flatMap(Log.Format.init(rawValue:)) ?? .text)
  }

  private func set(_ assignment: String, in limits: inout Limits) throws(UsageError) {
    let (name, text) = try parts(of: assignment, option: "limit")
    guard let bounds = Limits().named.first(where: { $0.name == name })?.bounds else {
      let names = Limits().named.map(\.name).joined(separator: ", ")
      throw usageError("--limit: unknown limit \(PlainText.word(name)); the limits are \(names)")
    }
    guard let value = Int(text), bounds.contains(value) else {
      throw usageError(
        "--limit \(name): expected a whole number from \(bounds.lowerBound) to "
          + "\(bounds.upperBound), found \"\(text)\"")
    }
    _ = limits.set(name, to: value)
  }

  func parts(
    of assignment: String, option: String
  ) throws(UsageError) -> (name: String, value: String) {
    guard let equals = assignment.firstIndex(of: "=") else {
      throw usageError("--\(option): expected NAME=VALUE, found \"\(assignment)\"")
    }
    return (
      String(assignment[..<equals]), String(assignment[assignment.index(after: equals)...])
    )
  }
}

extension ProgramError {
  fileprivate static func missingRuntimeDirectory(_ path: String) -> ProgramError {
    ProgramError(
      .badConfiguration,
      "the directory of XDG_RUNTIME_DIR does not exist: \(path); run: mkdir -m 700 "
        + "\(path.shellPath)\nOr choose the socket with -S, or run: unset XDG_RUNTIME_DIR")
  }
}
