import CommandLine

extension Command {
  static var delegate: Command {
    Command(
      "delegate", "Be the application delegate, in a shell.",
      details: """
        Prints what the delegate is asked and told, and answers. The broker asks it unless the \
        manifest or scened --application-delegate says "builtIn"; there is one at a time. It ends \
        when the application does. When the broker is killed it waits for the next one.

        Without --json and -- COMMAND it answers at once, as the lines say that it reads:

        configuration [NAME | JSON]: what new sessions are made from: a configuration's name, or \
        all of an answer, such as {"configuration": "Note", "userInfo": {"draft": true}}; without \
        a word what the manifest says.

        accept, decline: whether to take what the application is launched for.

        fail [CALLBACK]: answer with an error from now on.

        hang [CALLBACK]: do not answer from now on.

        answer: answer what hangs, and from now on everything.

        With --json each question is an object on a line, and waits for its answer: a line such as \
        {"id": 3, "result": {"configuration": "Note"}} or {"id": 3, "error": "not now"}. When \
        nothing more can be read it answers at once.

        With -- COMMAND the command is run for each question, which it reads as JSON. What it has \
        printed when it ends, JSON as well, is the answer; nothing is none. If it fails, so does \
        the answer. It ends with the delegate, and when the broker goes on without its answer; \
        what it leaves running is hung up on.

        A question that is not answered in its budget is told a second time, to say so: in JSON \
        as {"overran": CALLBACK, "id": N}.
        """,
      trailing: .optional(),
      options: [.flag("by-rule", "with --json: answer at once, and take lines as without it")],
      examples: [
        "scenectl delegate": "Shows what a delegate is told, and leaves all to the manifest.",
        "scenectl --json delegate": "Each question is a line, and waits for one.",
        "scenectl delegate -- ./choose.sh": "A script decides.",
      ],
      exits: [.tryAgain: "the application is ending", .no: "another one is the delegate"])
  }
}
