import ScenePlatform
import SceneTestSupport
import Testing

/// The scripts with which shells and a Python REPL come back after SIGKILL.
@Suite("Everyday programs")
struct EverydayProgramTests {
  struct Interpreter: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let program: String
    /// The configuration file that loads the script; nil if a variable names the script.
    var configuration: String?
    /// The line of the configuration file.
    var recipe = ""
    /// Lines of the configuration file before the script, which many users have.
    var settings = ""
    /// The file with the history; the program writes it before it shows the next prompt.
    let history: String
    /// The file that the program writes at each prompt.
    let state: String
    /// Lines that change to the directory DIR, do nothing, print `at-` with the directory, and
    /// print the history.
    let goTo: String
    let mark: String
    let whereabouts: String
    let list: String

    var testDescription: String { name }
  }

  private static func shell(
    _ name: String, configuration: String, recipe: String, settings: String, history: String,
    list: String
  ) -> Interpreter {
    Interpreter(
      name: name, script: "scripts/scene.\(name)", program: name, configuration: configuration,
      recipe: recipe, settings: settings, history: history,
      state: "activity", goTo: "cd 'DIR'", mark: "true marker", whereabouts: "echo at-$PWD",
      list: list)
  }

  private static let all = [
    shell(
      "bash", configuration: ".bashrc", recipe: #"eval "$(scenectl integration bash)""#,
      settings: "set -u; set -o noclobber; alias sed='sed --none'",
      history: "bash_history", list: "history"),
    shell(
      "zsh", configuration: ".zshrc", recipe: #"eval "$(scenectl integration zsh)""#,
      settings: "setopt NO_UNSET NO_CLOBBER; alias sed='sed --none'",
      history: "zsh_history", list: "fc -l 1"),
    // fish shows commands of another shell that are newer than its start only after a merge.
    shell(
      "fish", configuration: "fish/config.fish", recipe: "scenectl integration fish | source",
      settings: "alias sed='sed --none'",
      history: "fish/scene_AB_CD_history",
      list: "history merge; history"),
    Interpreter(
      name: "Python", script: "scripts/scene_repl.py", program: "python3",
      history: "python_history", state: "python_variables", goTo: "import os; os.chdir('DIR')",
      mark: "kept = 'true mar' + 'ker'", whereabouts: "print('at-' + os.getcwd())",
      list: "print(kept)"),
  ]

  private static let installed = all.filter { Programs.isInstalled($0.program) }

  private func play(
    _ interpreter: Interpreter, in workplace: Workplace,
    _ steps: (condition: String, line: String)...
  ) throws {
    let script = try Repository.file(interpreter.script)
    if let configuration = interpreter.configuration {
      try Directory.makeAll(workplace.file("fish"))
      _ = try workplace.write(configuration, "\(interpreter.settings)\n\(interpreter.recipe)\n")
    }
    let player = try RunningProgram.onTerminal(
      [interpreter.program], options: Self.wide,
      environment: [
        "SCENE_ACTIVITY": workplace.file("activity"), "SCENE_DATA": workplace.path,
        "SCENE_SESSION": "AB-CD", "HOME": workplace.path, "ZDOTDIR": workplace.path,
        "XDG_DATA_HOME": workplace.path, "XDG_CONFIG_HOME": workplace.path,
        "TERM": "xterm", "PYTHONSTARTUP": script, "PYTHON_BASIC_REPL": "1",
        "PATH": Programs.searchPath(),
      ])
    try play(steps, on: player)
  }

  /// Shells format their lines for the width of the window.
  private static let wide = ["--size", "200x24"]

  /// Types each line until its condition holds, and kills the program.
  private func play(
    _ steps: [(condition: String, line: String)], on player: RunningProgram
  ) throws {
    for (condition, line) in steps { try player.type("until \(condition)\t\(line)") }
    try player.type("signal SIGKILL")
    let outcome = try player.finish()
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test("a program comes back in its directory with its history", arguments: installed)
  func comesBack(interpreter: Interpreter) throws {
    let workplace = try Workplace()
    let directory = workplace.file("a b")
    try Directory.make(directory)
    let (state, history) = (interpreter.state, interpreter.history)
    try play(
      interpreter, in: workplace,
      ("file \(workplace.file(state)) ", ""),
      (
        "file \(workplace.file(state)) a b", interpreter.goTo.replacing("DIR", with: directory)
      ),
      ("file \(workplace.file(history)) mar", interpreter.mark),
      ("shown at-\(directory)", interpreter.whereabouts))
    try play(
      interpreter, in: workplace,
      ("shown at-\(directory)", interpreter.whereabouts), ("shown true marker", interpreter.list))
    // While the directory is away, it stays stored.
    try File.rename(directory, to: workplace.file("away"))
    try play(
      interpreter, in: workplace, ("shown at-/", interpreter.whereabouts),
      ("shown twice-/", interpreter.whereabouts.replacing("at-", with: "twice-")),
      ("file \(workplace.file(state)) a b", ""))
  }

  @Test("the recipe for Python works in any directory, and also without its environment")
  func pythonRecipe() throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Wrapping-a-command.md")
    let line = page.split(separator: "\n").first { $0.hasPrefix("2$ scene numbers") }
    let recipe = try #require(line).dropFirst(3)
    let daemon = try Daemon(Workplace())
    func play(_ lines: String, _ steps: (condition: String, line: String)...) throws {
      let player = try RunningProgram.onTerminal(
        ["sh", "-c", lines], options: Self.wide,
        environment: [
          "SCENE_SOCKET": daemon.socket, "HOME": daemon.workplace.path, "TERM": "xterm",
          "PATH": Programs.searchPath(), "PYTHON_BASIC_REPL": "1",
        ], workingDirectory: daemon.workplace.path)
      try self.play(steps, on: player)
      try daemon.scenectl("wait", "numbers unattached")
    }
    // Python saves before it shows its next prompt.
    try play(
      String(recipe), ("shown set-1", "kept = 41; print('set-' + '1')"),
      ("shown set-2", "print('set-' + '2')"))
    try play("cd /; exec scene numbers", ("shown kept-42", "print('kept-' + str(kept + 1))"))
  }

  @Test("the page has the line that loads the script of each shell", arguments: all.prefix(3))
  func recipes(shell: Interpreter) throws {
    let page = try Repository.text("Sources/Manual/Manual.docc/Wrapping-a-command.md")
    #expect(page.contains("```sh\n\(shell.recipe)\n```\n"))
  }

  @Test("no recipe of the manual needs the directory of the clone")
  func absolutePaths() throws {
    let pages = "Sources/Manual/Manual.docc"
    for name in try Directory.list(Repository.file(pages)) where name.hasSuffix(".md") {
      for line in try Repository.text("\(pages)/\(name)").split(separator: "\n") {
        #expect(!line.contains(#/ scripts\/scene[._]/#), "\(name): \(line)")
      }
    }
  }

  @Test(
    "each script has at most 30 lines, and the manual names it",
    arguments: ["scene.bash", "scene.zsh", "scene.fish", "scene.vim", "scene_repl.py"])
  func page(script: String) throws {
    let text = try Repository.text("scripts/\(script)")
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 30)
    let page = try Repository.text("Sources/Manual/Manual.docc/Wrapping-a-command.md")
    #expect(page.contains("`scripts/\(script)`"))
  }
}
