/// The program that the broker starts for a session without a client.
package struct LaunchCommand: Equatable, Sendable {
  /// The program and its arguments, without a shell.
  package var words: [String]
  /// The environment variables that the program inherits from the broker. A name that ends with `*`
  /// is a prefix.
  package var environment: [String]

  /// With more variables than every program inherits.
  package init(words: [String], environment: [String] = []) {
    self.words = words
    let standard = Self.standardEnvironment
    self.environment = standard + environment.filter { !standard.contains($0) }
  }

  /// The variables for a program's files, language and terminal.
  package static let standardEnvironment = [
    "HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_RUNTIME_DIR",
  ]

  /// The name of the program without its directory, for people.
  package var programName: String {
    let name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    return name.clipped(to: 100)
  }

  /// Whether the program inherits the variable. The broker sets the variables that begin with
  /// `SCENE_`.
  package func inherits(_ variable: String) -> Bool {
    !variable.hasPrefix("SCENE_")
      && environment.contains { name in
        name.hasSuffix("*") ? variable.hasPrefix(name.dropLast()) : variable == name
      }
  }
}
