import SceneCommandLine
import ScenePlatform

extension Verb {
  static let integration = Verb(
    "integration", "Print how a shell, vim or Python loads its scene script.",
    run: CommandContext.integration,
    details: """
      With its script, a program that runs as a scene comes back where it was. For a shell, the \
      verb prints the line that loads the script. For vim and python, it prints the path of the \
      script. Without PROGRAM, it prints the directory of the scripts, which also has clients in \
      other languages.

      `scripts/install` installs the scripts in share/scenebroker, below its prefix. A scenectl \
      that runs in the clone that built it takes the scripts of the clone.
      """,
    arguments: [
      .optional(
        "PROGRAM", "bash, zsh, fish, vim (also for neovim) or python",
        .choice(Integration.allCases.map(\.rawValue)))
    ],
    examples: [
      "eval \"$(scenectl integration bash)\"": "Loads the script, at the end of ~/.bashrc.",
      "scenectl integration fish | source": "Loads the script, in ~/.config/fish/config.fish.",
      "scene notes -- vim -S \"$(scenectl integration vim)\" notes.txt": "Edits notes.txt.",
      "scene numbers --env PYTHONSTARTUP=\"$(scenectl integration python)\" -- python3":
        "Opens a Python that comes back with its variables.",
    ],
    exits: [.noSession: "the script is not installed"],
    inheritsOptions: false)
}

/// A program with a script that saves its place in a scene.
private enum Integration: String, CaseIterable {
  case bash, zsh, fish, vim, python

  var file: String { self == .python ? "scene_repl.py" : "scene.\(rawValue)" }

  var isShell: Bool { Shell(rawValue: rawValue) != nil }
}

extension CommandContext {
  fileprivate func integration() throws -> ExitCode {
    let program = invocation.argument("PROGRAM").flatMap(Integration.init)
    let directories = try Self.integrationDirectories()
    let file = program?.file ?? Integration.vim.file
    guard let directory = directories.first(where: { File.exists("\($0)/\(file)") }) else {
      throw ProgramError(
        .noSession,
        "no file \(file) in \(directories.map(PlainText.escaped).joined(separator: " or ")); "
          + "install SceneBroker with scripts/install")
    }
    guard let program else {
      console.print(directory)
      return .success
    }
    let path = "\(directory)/\(file)"
    console.print(program.isShell ? "source \(path.shellWord)" : path)
    return .success
  }

  /// Where the scripts can be: beside the directory of an installed program, and in the clone that
  /// built the program.
  private static func integrationDirectories() throws(SystemError) -> [String] {
    let own = try ownDirectory()
    let installed = (Directory.parent(of: own) ?? "/") + "/share/scenebroker"
    guard let build = own.ranges(of: #/\/\.build(-[a-z]+)?\//#).last else { return [installed] }
    return [installed, own[..<build.lowerBound] + "/scripts"]
  }
}
