import CommandLine

/// The verbs that look after a broker and its state.
extension Command {
  static var journal: Command {
    Command(
      "journal", "Read and repair stored state without a broker.",
      details: """
        Without DIR the verbs use the state directory of the broker at the socket, even if that \
        broker has ended. Without a socket they use the default directory of the application. \
        `verify` and `dump` only read.
        """,
      options: [.value("state", "DIR", "the state directory of scened", .directory)],
      verbs: [
        Command(
          "verify", "Check all stored files.",
          details: """
            Prints the length and content of each file, the number of sessions, and the last batch \
            (one write) that a later batch confirms. Damage after that batch looks the same as a write that a \
            power failure cut short. The verb shows such damage, but does not count it as an \
            error. With --json the verb prints one object.
            """,
          arguments: [.optional("DIR", "the state directory", .directory)],
          examples: ["scenectl journal verify": "Prints the stored files, or the damage."],
          exits: [
            .success: "everything that a start reads is intact",
            .failure: "the broker runs with --durability none",
            .noSession: "there is no journal",
            .badData: "the journal is damaged or was written by another version",
          ]),
        Command(
          "dump", "Print every record as a JSON object.",
          details: """
            Each object has the members file, offset, sequence, kind and body. If the journal is \
            damaged, the verb prints the records before the damage and then its place.
            """,
          arguments: [.optional("DIR", "the state directory", .directory)],
          examples: ["scenectl journal dump": "Prints the records in the order of a start."],
          exits: [
            .failure: "the broker runs with --durability none", .noSession: "there is no journal",
            .badData: "the journal is damaged or was written by another version",
          ]),
        Command(
          "salvage", "Copy the intact records of a damaged journal.",
          details: """
            Keeps every record whose checksum matches. If the record of a session is lost, its \
            activities go to a new session called recovered-…. If the record of a discard is \
            lost, the discarded session returns. The verb prints what it kept and what it lost; with --json as one object.
            """,
          arguments: [.optional("DIR", "the state directory", .directory)],
          options: [.value("into", "NEWDIR", "the directory to create", .directory)],
          examples: [
            "scenectl journal salvage --into ~/salvaged": "Next, run: scened --state ~/salvaged"
          ],
          exits: [
            .success: "some records were saved", .failure: "the broker runs with --durability none",
            .noSession: "there is no journal",
            .badData: "no record could be saved", .tryAgain: "a broker uses the state directory",
          ]),
      ])
  }

  static var call: Command {
    Command(
      "call", "Send any request and print the result.",
      arguments: [
        .required("METHOD", "the method, such as session/list"),
        .optional("JSON", "its parameters, an object; `-` reads standard input"),
      ],
      options: [.timeout()],
      examples: [
        "scenectl call broker/ping": "Prints {}.",
        "scenectl call session/list '{\"state\": \"background\"}'":
          "Prints the sessions in the background.",
      ],
      exits: [.badData: "the method is unknown, or a parameter is invalid"])
  }

  static var completion: Command {
    Command(
      "completion", "Print a script that completes command lines in a shell.",
      details: """
        The script completes scened, scene and scenectl, or the named programs. Session names come \
        from the broker that the command line selects.

        `scripts/install` installs these scripts. Without it, load them from the shell's profile, \
        as the examples show; zsh must have run compinit before.
        """,
      arguments: [
        .required("SHELL", "bash, zsh or fish", .choice(Shell.allCases.map(\.rawValue))),
        .any("PROGRAM", "scened, scene, scenectl, or the path of a Swift `App`", .file),
      ],
      examples: [
        "eval \"$(scenectl completion bash)\"": "Load the scripts in bash.",
        "eval \"$(scenectl completion zsh)\"": "Load the scripts in zsh.",
        "scenectl completion fish | source": "Load the scripts in fish.",
        "scenectl completion bash ./hello": "Print the script of a program of your own.",
      ],
      exits: [.noSession: "a program is not installed", .badData: "a program prints no script"])
  }

  static var manual: Command {
    Command(
      "manual", "Print the manual page of a program.",
      details: "The page is roff source, which man formats.",
      arguments: [
        .optional(
          "PROGRAM", "scened, scene, scenectl (the default), or the path of a Swift `App`", .file)
      ],
      examples: [
        "scenectl manual | man -l -": "Read the page of scenectl.",
        "scenectl manual scene | man -l -": "Read the page of scene.",
      ],
      exits: [.noSession: "the program is not installed", .badData: "the program prints no page"])
  }
}
