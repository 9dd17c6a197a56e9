import CommandLine
import SceneBroker
import SceneJournal
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer

extension Invocation {
  /// What the command line asks for; what it names no place for lies in `directory`, if there is
  /// one.
  func configuration(in directory: String?) throws -> ServerConfiguration {
    let application = try applicationName()
    try Environment.check()
    let places = Places(
      application: application, environment: Environment.all, home: User.home)
    let socket = value("socket") ?? directory.map { $0 + PrivatePlace.socketName }
    let state = value("state") ?? directory.map { $0 + "/state" }
    var configuration = ServerConfiguration(
      application: application, socketPath: try places.socket(socket),
      stateDirectory: try places.stateDirectory(state), version: productVersion)
    configuration.makingForSocket = places.namesSocket(socket) ? .none : .all
    if let runtime = places.runtimeDirectory(socket) {
      guard File.exists(runtime) else { throw MissingRuntimeDirectory(path: runtime) }
      configuration.makingForSocket = .last
    }
    configuration.makingForState = state == nil ? .all : .last
    if value("state") == nil, directory != nil { configuration.wayToState = "TMPDIR" }
    configuration.durability = value("durability").flatMap(Durability.init(rawValue:)) ?? .disk
    configuration.clock = value("clock").flatMap(ClockKind.init(rawValue:)) ?? .real
    if has("faults") { configuration.faults = Faults() }
    configuration.readyDescriptor = try descriptor("ready-fd", redirection: ">")
    configuration.leashDescriptor = try descriptor("leash-fd", redirection: "<")
    for limit in values("limit") { try set(limit, in: &configuration.limits) }
    if let conflict = configuration.limits.conflict { throw usageError("--limit: \(conflict)") }
    configuration.manifestSource = try manifestSource(for: application)
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
    guard let name = value("application") else { return .default }
    do throws(ApplicationNameError) {
      return try ApplicationName(name)
    } catch {
      throw usageError(error.description)
    }
  }

  /// A descriptor that whoever started this program has opened for it. It is looked at before
  /// anything else is opened, which might get its number.
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
        "--\(option): descriptor \(number) is not open; whoever starts scened opens it, a shell "
          + "with \(number)\(redirection)PIPE")
    }
  }

  /// The command that the broker is to be there for.
  func command() throws -> HostedCommand? {
    guard let words = trailing else {
      guard values("keep-fd").isEmpty else {
        throw usageError("--keep-fd is for a COMMAND, and there is none behind --")
      }
      return nil
    }
    guard let name = words.first, !name.isEmpty else {
      let found = words.isEmpty ? "" : ", found an empty word"
      throw usageError("expected a command behind --\(found); for example: scened -- pytest")
    }
    let kept = values("keep-fd").compactMap { Int32($0) }
    for number in kept { try checkOpen(number, "keep-fd", redirection: "<") }
    return try HostedCommand(name, Array(words.dropFirst()), keeping: kept)
  }

  /// How the daemon is to speak. Around a command it is the command that has something to say.
  var log: Log {
    let level = trailing == nil || has("log-level") ? value("log-level") : nil
    return Log(
      level: level.flatMap(Log.Level.init(rawValue:)) ?? .warning,
      format: value("log-format").flatMap(Log.Format.init(rawValue:)) ?? .text)
  }

  private func set(_ assignment: String, in limits: inout Limits) throws(UsageError) {
    let (name, text) = try parts(of: assignment, option: "limit")
    guard let bounds = Limits.bounds.first(where: { $0.key == name })?.value else {
      let names = Limits.bounds.map(\.key).joined(separator: ", ")
      throw usageError("--limit: there is no limit \(PlainText.word(name)); there are \(names)")
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

/// What `XDG_RUNTIME_DIR` names is not there.
struct MissingRuntimeDirectory: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "there is no directory \(path), which XDG_RUNTIME_DIR names; make it (mkdir -m 700 "
      + "\(path.shellPath)), unset XDG_RUNTIME_DIR, or name the socket with -S"
  }
}
