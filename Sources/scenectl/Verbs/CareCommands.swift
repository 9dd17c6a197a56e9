import CommandLine

/// The verbs for those who look after an application.
extension Command {
  static var journal: Command {
    Command(
      "journal", "Look into what is stored, without a broker.",
      details: """
        The files are only read. Without a DIR it is the state of the broker that listens where \
        the other verbs would ask one, or of the one that did last at a socket that is named; else \
        the user's place for the application.
        """,
      options: [
        .value("state", "DIR", "the state directory, as it was given to scened", .directory)
      ],
      verbs: [
        Command(
          "verify", "Check everything that is stored.",
          details: """
            Says of each file how long it is and what is in it, of all how many sessions there are, \
            and through which batch they are attested: damage to a later one would look like a \
            write that was cut short. What lies behind the newest batch that can be read may be \
            either, and damage that reaches to the end may be to several saves; it is shown, and is \
            no error. With --json it is one object.
            """,
          arguments: [.optional("DIR", "the state directory", .directory)],
          examples: [
            "scenectl journal verify": "Says what is there, or what is damaged and where."
          ],
          exits: [
            .yes: "all that a start would read is whole", .no: "there is no journal",
            .badData: "something is damaged or missing, or no journal of this version",
          ]),
        Command(
          "dump", "Print every record, one object a line.",
          details: """
            An object has the members file, offset, sequence, kind and body. Where something is \
            damaged, all that lies before it is printed, and the error says where it is.
            """,
          arguments: [.optional("DIR", "the state directory", .directory)],
          examples: ["scenectl journal dump": "Records in the order in which they are read."],
          exits: [
            .no: "there is no journal",
            .badData: "something is damaged or missing, or no journal of this version",
          ]),
        Command(
          "salvage", "Save what can be read of a damaged journal into a new one.",
          details: """
            Everything that matches its checksum is kept. What was saved in a session that is lost \
            itself is kept in one called recovered-…; what was discarded in a lost part is back. \
            Says what was kept and what was lost; with --json it is one object.
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
      options: [.timeout()],
      examples: [
        "scenectl call broker/ping": "Prints {}.",
        "scenectl call session/list '{\"state\": \"background\"}'": "The scenes in the background.",
      ],
      exits: [.badData: "the method is unknown, or the parameters are wrong"])
  }

  static var completion: Command {
    Command(
      "completion", "Print a script that completes command lines in a shell.",
      details: """
        The script completes scened, scene and scenectl, or the programs that are named. Session \
        names come from the broker that the command line means.

        `scripts/install` installs these scripts. Without it, load them from the shell's profile, \
        as the examples show; zsh must have run compinit before.
        """,
      arguments: [
        .required("SHELL", "bash, zsh or fish", .choice(Shell.allCases.map(\.rawValue))),
        .any("PROGRAM", "scened, scene, scenectl, or the path of a Swift `App`", .file),
      ],
      examples: [
        "eval \"$(scenectl completion bash)\"": "Load the scripts in bash.",
        "source <(scenectl completion zsh)": "Load the scripts in zsh.",
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
