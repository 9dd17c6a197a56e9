/// The command line or an environment variable is unusable. The description states the remedy.
package enum EnvironmentError: Error, Equatable, Sendable {
  /// The name of the application violates a rule.
  case applicationName(String, NameRule)
  /// The value of a variable is not UTF-8.
  case illFormedVariable(String)
  /// The user has no home directory.
  case noHome
  /// The settings file is wrong: its place, and the problem.
  case settings(String, String)
  /// The process has no command line, not even a name.
  case noArguments

  /// A rule for the names of applications.
  package enum NameRule: String, Sendable {
    case length = "the name must have 1 to 64 characters"
    case character = "only letters, digits, '.', '_' and '-' are allowed"
    case start = "the name must not begin with '.' or '-'"
  }
}

extension EnvironmentError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .applicationName(let name, let rule):
      "application name \"\(name)\": \(rule.rawValue)"
    case .illFormedVariable(let name):
      "the variable \(name) is not UTF-8; set a new value, or unset the variable"
    case .noHome:
      "user \(User.current) has no home directory; set HOME, or name the socket with -S or "
        + "SCENE_SOCKET, and for scened the state directory with --state"
    case .settings(let place, let problem):
      "\(place): \(problem)"
    case .noArguments:
      "the command line is missing: the C library passed no arguments; start the program by its "
        + "name"
    }
  }
}
