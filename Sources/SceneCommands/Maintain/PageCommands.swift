import SceneCommandLine
import SceneModel
import ScenePlatform

extension Verb {
  static let completion = Verb(
    "completion", "Print a script that completes command lines in a shell.",
    run: CommandContext.completion,
    details: """
      The script completes scened, scene, scenectl and scenehandoff, or the named programs. \
      Session names come from the broker that the command line selects.

      `scripts/install` installs these scripts. Without it, load them from the shell's profile, \
      as the examples show; zsh must have run compinit before.
      """,
    arguments: [
      .required("SHELL", "bash, zsh or fish", .choice(Shell.allCases.map(\.rawValue))),
      .any("PROGRAM", "scened, scene, scenectl, scenehandoff, or the path of a Swift `App`", .file),
    ],
    examples: [
      "eval \"$(scenectl completion bash)\"": "Load the scripts in bash.",
      "eval \"$(scenectl completion zsh)\"": "Load the scripts in zsh.",
      "scenectl completion fish | source": "Load the scripts in fish.",
      "scenectl completion bash ./hello": "Print the script of a program of your own.",
    ],
    exits: [.noSession: "a program is not installed", .badData: "a program prints no script"],
    inheritsOptions: false)

  static let manual = Verb(
    "manual", "Print the manual page of a program.", run: CommandContext.manual,
    details: "The page is roff source, which man formats.",
    arguments: [
      .optional(
        "PROGRAM",
        "scened, scene, scenectl (the default), scenehandoff, or the path of a Swift `App`", .file)
    ],
    examples: [
      "scenectl manual | man -l -": "Read the page of scenectl.",
      "scenectl manual scene | man -l -": "Read the page of scene.",
    ],
    exits: [.noSession: "the program is not installed", .badData: "the program prints no page"],
    inheritsOptions: false)
}

extension CommandContext {
  fileprivate func completion() throws -> ExitCode {
    guard let shell = invocation.argument("SHELL") else {
      preconditionFailure("the table requires a shell")
    }
    let named = invocation.arguments("PROGRAM")
    for program in named.isEmpty
      ? [
        "scenectl", "scene", "scened", "scenehandoff",
      ] : named
    {
      // zsh has compdef, the other shells have complete.
      try printText(of: program, ["--print-completion", shell], with: ["compdef ", "complete -"])
    }
    return .success
  }

  fileprivate func manual() throws -> ExitCode {
    let program = invocation.argument("PROGRAM") ?? "scenectl"
    try printText(of: program, ["--print-manual"], with: [".TH "])
    return .success
  }

  /// Prints what the program prints, if one of the marks of such a text is in it.
  private func printText(of program: String, _ words: [String], with marks: [String]) throws {
    let (bytes, end) = try capture(1, of: Self.installedPath(of: program), words)
    guard end == .exited(0), let text = String(validating: bytes, as: UTF8.self),
      marks.contains(where: { text.contains($0) })
    else {
      throw ProgramError(
        .badData,
        "\(PlainText.escaped(program)) \(words[0]) prints no such page; the program \(end); "
          + "give scened, scene, scenectl, scenehandoff or a Swift `App`")
    }
    console.print(text, terminator: "")
  }

  /// Runs a program to its end, and reads what it writes to one of its descriptors.
  func capture(
    _ descriptor: Int32, of path: String, _ words: [String], others: [Int32: Int32] = [:]
  ) throws -> (output: ContiguousArray<UInt8>, end: ProcessEnd) {
    var pipe = try FileDescriptor.pipe()
    let child = try start(path, words, others, descriptor, pipe.takeSecond())
    let output = try pipe.takeFirst().readToEnd(limit: 16 << 20)
    return (output, try child.reap())
  }

  /// Consumes the end of the pipe, so that only the child has it.
  private func start(
    _ path: String, _ words: [String], _ others: [Int32: Int32], _ descriptor: Int32,
    _ end: consuming FileDescriptor
  ) throws -> ChildProcess {
    try ChildProcess.spawn(
      path, words, environment: environment,
      descriptors: others.merging([descriptor: end.number]) { $1 })
  }

  /// The directory of this program, which also has `scened` and `scene`.
  static func ownDirectory() throws(SystemError) -> String {
    Directory.parent(of: try Executable.current()) ?? "."
  }

  /// The path of a program: first in the directory of this program, then in $PATH.
  private static func installedPath(of program: String) throws(SystemError) -> String {
    let beside = "\(try ownDirectory())/\(program)"
    if !program.contains("/"), (try? Executable.check(beside)) != nil { return beside }
    let path = try Executable.find(program)
    try Executable.check(path)
    return path
  }
}
