import CommandLine

extension Command {
  static var delegate: Command {
    Command(
      "delegate", "Run an application delegate in a shell.",
      details: """
        Prints each question and report of the broker, and answers. The broker asks the delegate \
        unless the manifest or scened --application-delegate says "builtIn". An application has \
        one delegate at a time. The verb ends when the application ends. After kill -9 of the \
        broker it waits for the next broker.

        Without --json and -- COMMAND the verb answers at once, by rules. It reads the rules from \
        its input, one on each line:

        configuration [NAME | JSON]: the answer to configurationForConnecting: the name of a \
        configuration, or a whole answer such as {"configuration": "Note", "userInfo": {"draft": \
        true}}; without an argument, the choice of the manifest.

        accept, decline: the answer to the launch options.

        fail [CALLBACK]: answer with an error from now on.

        hang [CALLBACK]: do not answer from now on.

        answer: answer the open questions, and answer again from now on.

        With --json the verb prints each question as an object on a line and waits for the answer: \
        {"id": 3, "result": {"configuration": "Note"}} or {"id": 3, "error": "not now"}. After \
        the end of its input it answers at once.

        With -- COMMAND the verb runs the command for each question. The command reads the \
        question as JSON, and prints the answer as JSON or nothing. If the command fails, the \
        answer is an error. The command ends when the delegate ends and when the budget of the \
        question is over; its process group is sent HUP.

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
        .tryAgain: "the application is ending", .no: "the application has another delegate",
      ])
  }
}
