import CommandLine
import ScenePlatform

/// Completion scripts and manual pages: each program prints its own.
extension Errand {
  func completion() throws(ProgramError) -> ExitCode {
    guard let shell = invocation.argument("SHELL") else {
      preconditionFailure("the table requires a shell")
    }
    let named = invocation.arguments("PROGRAM")
    for program in named.isEmpty ? ["scenectl", "scene", "scened"] : named {
      try printText(of: program, ["--print-completion", shell])
    }
    return .success
  }

  func manual() throws(ProgramError) -> ExitCode {
    try printText(of: invocation.argument("PROGRAM") ?? "scenectl", ["--print-manual"])
    return .success
  }

  private func printText(of program: String, _ words: [String]) throws(ProgramError) {
    let (bytes, end) = try run(program, words)
    guard end == .exited(0), let text = try? String(wellFormed: bytes), !text.isEmpty else {
      throw ProgramError(
        .badData,
        "\(PlainText.escaped(program)) \(words[0]) failed: the program \(end); "
          + "give scened, scene, scenectl or a Swift `App`")
    }
    console.print(text, terminator: "")
  }

  private func run(
    _ program: String, _ words: [String]
  ) throws(ProgramError) -> (output: ContiguousArray<UInt8>, end: ProcessEnd) {
    do throws(SystemError) {
      let path = try Self.installedPath(of: program)
      var pipe = try FileDescriptor.pipe()
      let child = try start(path, words, output: pipe.takeSecond())
      let output = try pipe.takeFirst().readToEnd(limit: 16 << 20)
      return (output, try child.reap())
    } catch {
      throw ProgramError(error)
    }
  }

  /// A name is looked up beside this program first, because the two belong together.
  private static func installedPath(of program: String) throws(SystemError) -> String {
    let beside = "\(Directory.parent(of: try Executable.current()) ?? ".")/\(program)"
    if !program.contains("/"), (try? Executable.check(beside)) != nil { return beside }
    let path = try Executable.find(program)
    try Executable.check(path)
    return path
  }

  private func start(
    _ path: String, _ words: [String], output: consuming FileDescriptor
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess.spawn(
      path, words, environment: environment, descriptors: [1: output.number])
  }
}
