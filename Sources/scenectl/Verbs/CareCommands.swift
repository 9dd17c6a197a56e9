import CommandLine

/// The verbs for those who look after an application.
extension Command {
  static var journal: Command {
    Command(
      "journal", "Look into what is stored, without a broker.",
      details: "The files are only read.",
      options: [
        .value("state", "DIR", "the state directory, as it was given to scened", .directory)
      ],
      verbs: [
        Command(
          "verify", "Check everything that is stored.",
          arguments: [.optional("DIR", "the state directory", .directory)],
          examples: [
            "scenectl journal verify": "Says what is there, or what is damaged and where."
          ],
          exits: [
            .yes: "all is well", .no: "there is no journal", .badData: "something is damaged",
          ]),
        Command(
          "dump", "Print every record, one object a line.",
          details: "An object has the members file, offset, sequence, kind and body.",
          arguments: [.optional("DIR", "the state directory", .directory)],
          examples: ["scenectl journal dump": "Records in the order in which they are read."],
          exits: [.no: "there is no journal", .badData: "something is damaged"]),
        Command(
          "salvage", "Save what can be read of a damaged journal into a new one.",
          details: """
            Says what was kept and what was lost. What was discarded in a lost part is back. \
            With --json it is one object.
            """,
          arguments: [.optional("DIR", "the state directory", .directory)],
          options: [
            .value("into", "NEWDIR", "where to make it; a new directory", .directory)
          ],
          examples: [
            "scenectl journal salvage --into ~/salvaged": "Then: scened --state ~/salvaged"
          ],
          exits: [
            .yes: "something was saved", .no: "there is no journal",
            .badData: "nothing could be saved", .tryAgain: "a broker is running on it",
          ]),
      ])
  }

  static var call: Command {
    Command(
      "call", "Send any request, and print the result.",
      arguments: [
        .required("METHOD", "such as session/list"),
        .optional("JSON", "its parameters, an object; `-` reads standard input"),
      ],
      examples: [
        "scenectl call broker/ping": "Prints {}.",
        "scenectl call session/list '{\"state\": \"background\"}'": "The scenes in the background.",
      ],
      exits: [.badData: "the method is unknown, or the parameters are wrong"])
  }

  static var completion: Command {
    Command(
      "completion", "Print a script that teaches a shell to complete command lines.",
      arguments: [
        .required("SHELL", "bash, zsh or fish", .choice(Shell.allCases.map(\.rawValue)))
      ],
      examples: [
        "scenectl completion bash": "To be evaluated: eval \"$(scenectl completion bash)\""
      ])
  }

  static var manual: Command {
    Command(
      "manual", "Print the manual page, for man.",
      examples: ["scenectl manual | man -l -": "Shows it."])
  }
}
