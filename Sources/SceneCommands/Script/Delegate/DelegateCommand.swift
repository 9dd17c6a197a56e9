import SceneApp
import SceneClient
import SceneCommandLine
import SceneControl
import ScenePlatform
import SceneWire

extension Verb {
  static let delegate = Verb(
    "delegate", "Run an application delegate in a shell.", run: CommandContext.delegate,
    details: """
      The application delegate chooses the configuration of each new session. The verb prints \
      each question and report of the broker, and answers. The broker asks no delegate if the \
      manifest or scened --application-delegate says "builtIn". An application has one delegate \
      at a time. The verb ends when the application ends. After kill -9 of the \
      broker the verb waits for the next broker.

      Without --json and -- COMMAND the verb answers at once: the manifest decides.

      With --json the verb prints each question as an object on a line and waits for the answer: \
      {"id": 3, "result": {"configuration": "Note"}} or {"id": 3, "error": "not now"}. After \
      the end of its input the verb answers at once.

      With -- COMMAND the verb runs the command for each question. The command reads the \
      question as JSON, and prints the answer as JSON or nothing. If the command fails, the \
      answer is an error. The verb ends the command when the delegate ends and when the \
      question exceeds its budget. The verb sends HUP to the process group of the command.

      The verb reports a question that exceeds its budget, in JSON as {"overran": CALLBACK, \
      "id": N}.
      """,
    trailing: .optional("COMMAND"),
    options: [.flag("by-rule", "with --json: answer at once, by the lines of a script")],
    examples: [
      "scenectl delegate": "Shows the questions and leaves the choice to the manifest.",
      "scenectl --json delegate": "Prints a line for each question and reads a line for each.",
      "scenectl delegate -- ./choose.sh": "Lets a script answer.",
    ],
    exits: [
      .tryAgain: "the application is ending", .failure: "the application has another delegate",
    ])
}

extension CommandContext {
  /// Is the application delegate until the application ends.
  fileprivate func delegate() throws -> ExitCode {
    // A command can exit before it reads its question.
    Signal.ignoreBrokenPipes()
    let path = try socketPath()
    // Reports a missing broker, and a broker of another application.
    _ = try broker.greeting(until: replyDeadline())
    closeConnection()
    let client = DelegateClient(settings(path))
    let output = DelegateOutput(console, printsJSON: printsJSON)
    let source = try answerSource(path, client, output)
    defer { source.close() }
    try source.begin()
    do throws(SceneError) {
      try client.run(source)
      return .success
    } catch {
      throw ProgramError(ExitCode(error), PlainText.escaped(error.message))
    }
  }

  private func settings(_ path: String) -> ClientSettings {
    var settings = ClientSettings(name: "delegate", hosts: []) { () throws(SystemError) in
      try UnixSocket.connect(toBroker: path)
    }
    if FrameDirection.areShown(by: environment["SCENE_DEBUG"]) {
      settings.onFrame = { direction, content in
        StandardStream.error.offer(
          direction.line(of: content) + "\n", required: !StandardStream.error.isTerminal)
      }
    }
    return settings
  }

  private func answerSource(
    _ path: String, _ client: DelegateClient, _ output: DelegateOutput
  ) throws -> any AnswerSource {
    guard let command = invocation.trailing, !command.isEmpty else {
      let readsRules = invocation.has("by-rule")
      if readsRules, !printsJSON { throw invocation.usageError("--by-rule requires --json") }
      if printsJSON, !readsRules { return StdinAnswerer(client, output) }
      return RuleAnswerer(client, output, readsRules: readsRules)
    }
    let source = ExecAnswerer(
      try requireCommand(command), command, socket: path, client, output)
    // Keys of a terminal do not reach the command, which has a process group of its own.
    try processControl.onEndingSignal { _ in
      source.close()
      return .signal
    }
    return source
  }
}
