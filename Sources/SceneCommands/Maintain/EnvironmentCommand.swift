import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

extension Verb {
  static let environment = Verb(
    "environment", "Show or send the variables of this login.", run: CommandContext.showEnvironment,
    details: """
      The broker starts programs, and may be older than the login. With --import it gets the \
      variables of this environment, and forgets those that are not set here. The verbs \
      `activate`, `new`, `open` and `reopen` send the variables that are set, except in a \
      program of a scene. A launched program gets the ones that the manifest lets it inherit. \
      `scene` gives them to the program of a reclaimed scene when it starts again. Without \
      --import, the verb prints the names. The broker keeps the values in memory only, and no \
      client can read them.

      The variables are \(LoginEnvironment.standardNames.joined(separator: ", ")), or those in \
      `updateEnvironment` of the manifest, or those in $\(LoginEnvironment.namesVariable).
      """,
    options: [.flag("import", "send the variables to the broker")],
    examples: [
      "scenectl environment": "Prints a line for each variable, such as DISPLAY.",
      "scenectl environment --import": "Programs that start later have these variables.",
    ])
}

extension CommandContext {
  fileprivate func showEnvironment() throws -> ExitCode {
    let names = try loginVariables()
    guard invocation.has("import") else {
      for name in names {
        console.print(PlainText.escaped(name) + (Environment[name] == nil ? " (not set)" : ""))
      }
      return .success
    }
    var values: [String: String?] = [:]
    for name in names { values[name] = .some(Environment[name]) }
    return try send(UpdateEnvironment(LoginEnvironment(values)), as: "the environment")
  }
}
