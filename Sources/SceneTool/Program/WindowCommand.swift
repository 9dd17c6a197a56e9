import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The command that this process runs as a scene: from the command line, or stored with a session.
struct WindowCommand {
  /// As it is stored with the session.
  var program: SessionProgram
  /// The words to run now.
  let words: [String]
  /// The session that stores the command; nil for a command of the command line.
  var session: SessionIdentifier?
  /// The host that published the command, which no scene of this host has run.
  var origin: String?
  /// The command lines that run another command and none.
  var advice: (other: String, prompt: String)?

  /// The environment of a program that connects to the session itself.
  func environment(socket: String) -> [String: String?] {
    let marker = session.map {
      ReopenedSession.value(for: $0, pid: ProcessIdentity.currentPID)
    }
    return [
      "SCENE_SOCKET": socket, ReopenedSession.variable: marker, "PWD": program.directory,
    ]
  }

  /// The words of a command that was quoted as one word.
  private var suggestion: String? {
    guard words.count == 1, let split = try? ShellWords.split(words[0]), split.count > 1,
      (try? Executable.find(split[0])) != nil
    else { return nil }
    return "; did you mean: -- \(split.map(\.shellWord).joined(separator: " ").printable)?"
  }

  /// The error for a command that cannot start. It names the program and the directory.
  func failure(_ error: SystemError) -> ProgramError {
    let code: ExitCode = error.isNotFound && error.call == "exec" ? .noCommand : .badCommand
    guard let advice else { return ProgramError(code, "\(error)\(suggestion ?? "")") }
    return ProgramError(
      code,
      "cannot run \(PlainText.word(words.first ?? "")) in \(PlainText.word(program.directory)): "
        + "\(error)\nRun another command with: \(advice.other)\nRun none with: \(advice.prompt)")
  }
}

extension Invocation {
  /// The command behind `--`; nil without one.
  func givenCommand() throws -> WindowCommand? {
    let resume = try resumeWords()
    guard let words = try hostedCommand() else {
      if has("prompt"), changesCommand {
        throw usageError(
          "--prompt runs no command; omit --resume-with, --env, --retry, --no-reopen and --keep")
      }
      return nil
    }
    guard !has("prompt") else {
      throw usageError("--prompt and a command cannot be used together; omit one of them")
    }
    let directory: String
    do throws(SystemError) {
      directory = try Directory.currentAsNamed()
    } catch {
      throw ProgramError(.badCommand, "the working directory cannot be read: \(error)")
    }
    var program = SessionProgram(
      arguments: words, directory: directory, resume: resume, reopens: !has("no-reopen"))
    program.onHangup = onHangup
    program.onActivate = value("on-activate")
    try addVariables(to: &program)
    program.retry = try retryTime()
    return WindowCommand(program: program, words: words)
  }

  /// Whether an option changes a stored command.
  private var changesCommand: Bool {
    has("resume-with") || has("env") || has("retry") || has("no-reopen") || onHangup == .keep
  }

  /// Adds the variables of `--env`. The last value of a name counts.
  private func addVariables(to program: inout SessionProgram) throws(UsageError) {
    guard has("env") else { return }
    var variables = program.environment ?? []
    for variable in values("env") {
      let name = variable.prefix { $0 != "=" }
      variables.removeAll { $0.prefix { $0 != "=" } == name }
      variables.append(variable)
    }
    program.environment = variables
    if let problem = program.environmentProblem { throw usageError("--env: \(problem)") }
  }

  /// The seconds of `--retry`; nil without it.
  private func retryTime() throws(UsageError) -> Double? {
    guard let nanoseconds = nanoseconds("retry") else { return nil }
    let seconds = Interval(nanoseconds: nanoseconds).seconds
    guard seconds == 0 || RetryTime.contains(seconds) else {
      throw usageError("--retry: expected 0, or a time from 1ms to 1h")
    }
    return seconds
  }

  /// The session whose stored command this process runs; nil for another command and the prompt.
  var sessionWithCommand: WindowSession? {
    trailing == nil && !has("prompt") ? namedSession : nil
  }

  var namedSession: WindowSession? {
    argument("NAME").map(WindowSession.name) ?? value("session").map(WindowSession.word)
  }

  /// The stored command of a session, as the options change it; nil without one.
  func storedCommand(of session: SessionSummary?) throws(UsageError) -> WindowCommand? {
    let resume = try resumeWords()
    guard let session, var program = session.program else {
      guard !changesCommand else {
        let example =
          onHangup == .keep ? "build --keep -- make" : "log --retry 5s -- ssh example.org"
        throw usageError(
          "the session has no command; add one behind these options, as in: scene \(example)")
      }
      return nil
    }
    program.resume = resume ?? program.resume
    program.retry = try retryTime() ?? program.retry
    if has("no-reopen") { program.reopens = false }
    program.onHangup = onHangup ?? program.onHangup
    program.onActivate = value("on-activate") ?? program.onActivate
    try addVariables(to: &program)
    let origin = exchange(&program.from, with: nil)
    var command = WindowCommand(program: program, words: program.nextArguments)
    (command.session, command.origin) = (session.session, origin)
    let options = RuntimePaths.options(
      application: value("application"), socket: value("socket"))
    let line = "scene\(options) " + (session.name?.shellWord ?? "--session \(session.session)")
    command.advice = ("\(line) -- COMMAND", "\(line) --prompt")
    return command
  }

  var onHangup: HangupAction? {
    has("keep") ? .keep : has("no-keep") ? .close : value("on-hangup").map(HangupAction.init)
  }

  /// The words of `--resume-with`, split as a shell does.
  private func resumeWords() throws(UsageError) -> [String]? {
    guard let text = value("resume-with") else { return nil }
    let words: [String]
    do throws(ShellWordsError) {
      words = try ShellWords.split(text)
    } catch {
      throw usageError("--resume-with: \(error)")
    }
    guard words.first?.isEmpty == false else {
      throw usageError("--resume-with: expected a command, found \"\(text.printable)\"")
    }
    return words
  }
}
