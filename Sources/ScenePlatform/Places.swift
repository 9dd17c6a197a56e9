/// Where the things of one application lie, by the XDG conventions.
///
/// Variables that are empty, and directories that are not absolute, count as not set.
package struct Places: Equatable, Sendable {
  package var application: ApplicationName
  private var environment: [String: String]
  private var home: String?

  package init(application: ApplicationName, environment: [String: String], home: String?) {
    self.application = application
    self.environment = environment
    self.home = home
  }

  /// Where the broker listens: what was asked for (`-S`), else `$SCENE_SOCKET`, else in the user's
  /// runtime directory, else, as containers have none, among the user's state.
  package func socket(_ requested: String? = nil) throws(PlacesError) -> String {
    if let requested { return requested }
    if let socket = variable("SCENE_SOCKET") { return socket }
    if let runtime = directory("XDG_RUNTIME_DIR") { return "\(runtime)/scened/\(application).sock" }
    return "\(try stateInHome())/scened/\(application)/sock"
  }

  /// Where the broker keeps what must survive: what was asked for (`--state`), else among the
  /// user's state.
  package func stateDirectory(_ requested: String? = nil) throws(PlacesError) -> String {
    if let requested { return requested }
    let state =
      if let named = directory("XDG_STATE_HOME") { named } else { try stateInHome() }
    return "\(state)/scened/\(application)"
  }

  /// How the broker that was asked for is started from a shell.
  package static func startCommand(application: String?, socket: String?) -> String {
    "scened" + options(application: application, socket: socket) + " &"
  }

  /// What leads another command of the same shell to the same broker, each with a space before it.
  package static func options(application: String?, socket: String?) -> String {
    var options = ""
    if let application, application != ApplicationName.default.description {
      options += " -a \(application.shellWord)"
    }
    if let socket { options += " -S \(socket.shellWord)" }
    return options
  }

  /// What the socket's directory is made in, where that is the user's runtime directory: whoever set
  /// the variable makes it, and nobody else.
  package func runtimeDirectory(_ requested: String?) -> String? {
    namesSocket(requested) ? nil : directory("XDG_RUNTIME_DIR")
  }

  /// Whether the socket is where it is by its path alone, so that it may be another application's.
  package func namesSocket(_ requested: String?) -> Bool {
    requested != nil || variable("SCENE_SOCKET") != nil
  }

  /// What to do where the broker at a socket that was named is another application's.
  package func adviceOnStranger(at path: String, _ requested: String?) -> String {
    let (name, way) =
      requested == nil
      ? ("SCENE_SOCKET", "name its socket with -S, or run: unset SCENE_SOCKET")
      : ("-S", "leave -S out, or name its socket")
    return "It listens at \(path), which \(name) names.\nTo use it, leave -a \(application) out; "
      + "for the broker of \(application), \(way)"
  }

  private func stateInHome() throws(PlacesError) -> String {
    guard let home else { throw PlacesError() }
    return "\(home == "/" ? "" : home.withoutTrailingSlashes)/.local/state"
  }

  private func variable(_ name: String) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }

  private func directory(_ name: String) -> String? {
    guard let value = variable(name), value.hasPrefix("/") else { return nil }
    var path = value[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

/// A place would be in the user's home directory, and nothing says where that is.
package struct PlacesError: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String {
    "user \(User.current) has no home directory; set HOME, or name the socket with -S or "
      + "SCENE_SOCKET (and for scened the state with --state)"
  }
}
