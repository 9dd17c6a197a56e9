extension RunningProgram {
  /// Starts a program on a terminal of its own. Each line that is typed to the result is a step:
  /// `Tests/Scripts/terminal.py` has the list of steps and options.
  package static func onTerminal(
    _ words: [String], options: [String] = [], environment: [String: String] = [:],
    workingDirectory: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      "python3", [Repository.file("Tests/Scripts/terminal.py")] + options + words,
      environment: environment, workingDirectory: workingDirectory)
  }

  /// Does steps on a terminal, and returns when they are done.
  package func play(_ steps: String...) throws {
    for step in steps { try type(step) }
    try type("say done")
    try line(containing: "done")
  }
}
