/// The socket and the directories of one application, by the XDG conventions.
///
/// Ignores empty variables and relative directories.
package struct RuntimePaths: Equatable, Sendable {
  package var application: ApplicationName
  private var environment: [String: String]
  private var home: String?

  /// The variables that select a path.
  private enum Variable: String, CaseIterable {
    case socket = "SCENE_SOCKET"
    case runtimeDirectory = "XDG_RUNTIME_DIR"
    case stateHome = "XDG_STATE_HOME"
  }

  package init(application: ApplicationName, environment: [String: String], home: String?) {
    self.application = application
    self.environment = environment
    self.home = home
  }

  /// The paths of this process.
  package init(application: ApplicationName) {
    // A dictionary of all variables would take 8 % of the instructions of a client's start.
    var environment: [String: String] = [:]
    for name in Variable.allCases.map(\.rawValue) { environment[name] = Environment[name] }
    self.init(application: application, environment: environment, home: User.home)
  }

  /// The path of the broker's socket. The first of these that is set: `requested` (`-S`),
  /// `$SCENE_SOCKET`, the user's runtime directory, the user's state directory. Containers have no
  /// runtime directory.
  package func socket(_ requested: String? = nil) throws(EnvironmentError) -> String {
    if let requested { return requested }
    if let socket = variable(.socket) { return socket }
    if let runtime = directory(.runtimeDirectory) { return "\(runtime)/scened/\(application).sock" }
    return "\(try stateInHome())/scened/\(application)/sock"
  }

  /// The broker's state directory: `requested` (`--state`), else a directory in the user's state
  /// directory.
  package func stateDirectory(_ requested: String? = nil) throws(EnvironmentError) -> String {
    if let requested { return requested }
    return "\(try stateHome())/scened/\(application)"
  }

  /// The variables with the runtime directory that a command over ssh can lack: `/run/user/UID`, if
  /// it belongs to this user and has the broker's socket.
  package static func completed(
    _ environment: [String: String], _ application: ApplicationName,
    in directory: String = "/run/user/\(User.current)"
  ) -> [String: String] {
    guard environment[Variable.runtimeDirectory.rawValue, default: ""].isEmpty,
      let status = try? FileStatus(of: directory), status.owner == User.current,
      File.exists("\(directory)/scened/\(application).sock")
    else { return environment }
    return environment.merging([Variable.runtimeDirectory.rawValue: directory]) { _, new in new }
  }

  /// The problem that no broker runs, without its cause.
  package static func absence(of application: String?) -> String {
    "no broker runs for application \(application ?? ApplicationName.default.description)"
  }

  /// The shell command that starts the broker.
  package static func startCommand(application: String?, socket: String?) -> String {
    "scened" + options(application: application, socket: socket) + " &"
  }

  /// The options that select the same broker in another command, each after a space.
  package static func options(application: String?, socket: String?) -> String {
    var options = ""
    if let application, application != ApplicationName.default.description {
      options += " -a \(application.shellWord)"
    }
    if let socket { options += " -S \(socket.shellWord)" }
    return options
  }

  /// The user's runtime directory, if it contains the socket's directory. The login session makes
  /// it; the broker does not.
  package func runtimeDirectory(_ requested: String?) -> String? {
    namesSocket(requested) ? nil : directory(.runtimeDirectory)
  }

  /// Whether a path selects the socket, so that the socket may belong to another application.
  package func namesSocket(_ requested: String?) -> Bool {
    requested != nil || variable(.socket) != nil
  }

  /// The advice for a broker of another application at an explicit socket.
  package func adviceOnStranger(at path: String, _ requested: String?) -> String {
    let (name, way) =
      requested == nil
      ? ("SCENE_SOCKET", "name its socket with -S, or run: unset SCENE_SOCKET")
      : ("-S", "omit -S, or name its socket")
    return "That broker listens on \(path), the value of \(name).\n"
      + "To use that broker, omit -a \(application); for the broker of \(application), \(way)"
  }

  /// The applications with a socket or a state directory in the usual places, by name.
  package var applications: [ApplicationName] {
    let runtime = directory(.runtimeDirectory).flatMap { try? Directory.list("\($0)/scened") } ?? []
    let sockets = runtime.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }
    let states = (try? stateHome()).flatMap { try? Directory.list("\($0)/scened") } ?? []
    return Set(sockets + states).sorted().compactMap { try? ApplicationName($0) }
  }

  /// The usual paths of an application, whatever a variable names.
  package func usual(of application: ApplicationName) -> RuntimePaths {
    var paths = self
    paths.application = application
    paths.environment[Variable.socket.rawValue] = nil
    return paths
  }

  private func stateHome() throws(EnvironmentError) -> String {
    if let named = directory(.stateHome) { named } else { try stateInHome() }
  }

  private func stateInHome() throws(EnvironmentError) -> String {
    guard let home else { throw .noHome }
    return "\(home == "/" ? "" : home.withoutTrailingSlashes)/.local/state"
  }

  private func variable(_ variable: Variable) -> String? {
    guard let value = environment[variable.rawValue], !value.isEmpty else { return nil }
    return value
  }

  private func directory(_ name: Variable) -> String? {
    guard let value = variable(name), value.hasPrefix("/") else { return nil }
    return value.withoutTrailingSlashes
  }
}
