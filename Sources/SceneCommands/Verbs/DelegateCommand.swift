import CommandLine

extension Command {
  static var delegate: Command {
    Command(
      "delegate", "Run an application delegate in a shell.",
      details: """
        The application delegate chooses the configuration of each new session. The verb prints \
        each question and report of the broker, and answers. The broker asks no delegate if the \
        manifest or scened --application-delegate says "builtIn". An application has one delegate \
        at a time. The verb ends when the application ends. After kill -9 of the \
        broker the verb waits for the next broker.

        Without --json and -- COMMAND the verb answers at once, according to rules. It \
        reads the rules from its input, one on each line:

        configuration [NAME | JSON]: the answer to configurationForConnecting: the name of a \
        configuration, or a complete answer such as {"configuration": "Note", "userInfo": {"draft": \
        true}}; without an argument, the manifest decides.

        accept, decline: the answer to the launch options.

        fail [CALLBACK]: answer with an error from now on.

        hang [CALLBACK]: do not answer from now on.

        answer: answer the open questions, and answer again from now on.

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
      trailing: .optional(),
      options: [.flag("by-rule", "with --json: answer at once and read rules")],
      examples: [
        "scenectl delegate": "Shows the questions and leaves the choice to the manifest.",
        "scenectl --json delegate": "Prints a line for each question and reads a line for each.",
        "scenectl delegate -- ./choose.sh": "Lets a script answer.",
      ],
      exits: [
        .tryAgain: "the application is ending", .failure: "the application has another delegate",
      ])
  }
}
