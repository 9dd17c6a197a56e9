import SceneClient
import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// The command that this process runs as a scene: from the command line, or stored with a session.
struct WindowCommand {
  /// As it is stored with the session.
  let program: SessionProgram
  /// The words to run now.
  let words: [String]
  /// The session that stores the command; nil for a command of the command line.
  var session: SessionIdentifier?
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

  /// The error for a command that cannot start. It names the program and the directory.
  func failure(_ error: SystemError) -> ProgramError {
    let code: ExitCode = error.isNotFound && error.call == "exec" ? .noCommand : .badCommand
    guard let advice else { return ProgramError(code, "\(error)") }
    return ProgramError(
      code,
      "cannot run \(PlainText.word(words.first ?? "")) in \(PlainText.word(program.directory)): "
        + "\(error)\nRun another command with: \(advice.other)\nRun none with: \(advice.prompt)")
  }
}

extension Invocation {
  /// The command behind `--`, or the stored one of the session; nil for the prompt.
  func windowCommand(isLaunched: Bool, socket: String) throws -> WindowCommand? {
    let resume = try resumeWords()
    guard let words = try hostedCommand() else {
      let stored = isLaunched || has("prompt") ? nil : try storedCommand(socket: socket)
      guard var stored else {
        if has("prompt"), resume != nil || has("no-reopen") {
          throw usageError("--prompt runs no command; omit --resume-with and --no-reopen")
        }
        guard resume == nil, !has("no-reopen") else {
          throw usageError(
            "the session has no command; add one, as in: scene agent --resume-with 'agent "
              + "--continue' -- agent")
        }
        return nil
      }
      if resume != nil || has("no-reopen") {
        var program = stored.program
        program.resume = resume ?? program.resume
        if has("no-reopen") { program.reopens = false }
        var changed = WindowCommand(program: program, words: program.nextArguments)
        (changed.session, changed.advice) = (stored.session, stored.advice)
        stored = changed
      }
      return stored
    }
    guard !has("prompt") else {
      throw usageError("--prompt and a command cannot be used together; omit one of them")
    }
    do throws(SystemError) {
      let program = SessionProgram(
        arguments: words, directory: try Directory.current(), resume: resume,
        reopens: !has("no-reopen"))
      return WindowCommand(program: program, words: words)
    } catch {
      throw ProgramError(.badCommand, "the working directory cannot be read: \(error)")
    }
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

  /// The stored command of the session that the command line names. The scene itself reports a
  /// missing broker and a missing session.
  private func storedCommand(socket: String) throws -> WindowCommand? {
    guard let word = argument("NAME") ?? value("session") else { return nil }
    do throws(ControlError) {
      let broker = try connect(to: socket)
      let deadline = SystemClock.monotonic() + Self.timeToFind
      let found: FoundSession?
      if has("session") {
        let resolutions = try broker.find([word], until: deadline)
        found = if case .found(let session)? = resolutions.first { session } else { nil }
      } else {
        found = try broker.find(named: word, until: deadline)
      }
      guard let found, let program = found.details.summary.program else { return nil }
      return command(program, of: found)
    } catch {
      return nil
    }
  }

  /// Connects. With `--wait`, tries again until a broker listens.
  private func connect(to socket: String) throws(ControlError) -> ControlConnection {
    let client = ClientName(name: "scene", version: productVersion)
    while true {
      do throws(ControlError) {
        return try ControlConnection.open(
          socket, as: client, kind: .observer, until: SystemClock.monotonic() + Self.timeToFind)
      } catch .noBroker(let path, let error) {
        guard has("wait"), error.code != .notASocket else {
          throw .noBroker(path: path, error)
        }
        // No event announces a new broker.
        let next = SystemClock.monotonic() + Self.connectInterval
        _ = ConditionMutex(()).wait(until: next) { _ -> Void? in nil }
      }
    }
  }

  private static let connectInterval: Int64 = 50_000_000
  private static let timeToFind: Int64 = 10_000_000_000

  private func command(_ program: SessionProgram, of session: FoundSession) -> WindowCommand {
    var command = WindowCommand(program: program, words: program.nextArguments)
    command.session = session.identifier
    let summary = session.details.summary
    let options = RuntimePaths.options(
      application: value("application"), socket: value("socket"))
    let line = "scene\(options) " + (summary.name?.shellWord ?? "--session \(summary.session)")
    command.advice = ("\(line) -- COMMAND", "\(line) --prompt")
    return command
  }
}
