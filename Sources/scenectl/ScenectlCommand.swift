import CommandLine
import SceneModel

extension Scenectl {
  /// The table of the program with some of its verbs.
  static func command(of verbs: [Verb]) -> Command {
    var command = Command(
      "scenectl", "Look at an application's scenes and act on them, as its user would.",
      version: productVersion,
      details: """
        A session is named by its name, its identifier, or at least 4 digits of an identifier's \
        beginning if only one begins so; a name counts first. Where none is given it is that of \
        $SCENE_SESSION.

        Verbs that act return when it is done, and print nothing. If that takes longer than \
        --timeout they end with 124; what was asked for goes on. --timeout stands behind the verb, or \
        before it. A broker that answers nothing at \
        all for 10 s is given up by every verb, with 124 too. When nobody reads what it prints any \
        more, it ends without a word, as by SIGPIPE (a shell says 141).
        """,
      options: [
        .value("application", short: "a", "NAME", "which application", default: "default"),
        .value("socket", short: "S", "PATH", "where its broker listens", .file),
        .flag("json", "print what the broker answers, as it came, on one line"),
      ],
      groups: Verb.Group.allCases.compactMap { group in
        let commands = verbs.filter { $0.group == group }.map(\.command)
        return commands.isEmpty ? nil : VerbGroup(group.rawValue, commands)
      },
      defaultVerb: verbs.contains(.status) ? Verb.status.rawValue : nil,
      examples: [
        "scenectl": "How the application is, and its sessions.",
        "scenectl background packing": "What the home gesture does.",
        "scenectl wait 'packing foregroundActive'": "Returns when the scene is active.",
      ],
      environment: [
        "SCENE_SOCKET": "where the broker listens, unless --socket says so",
        "SCENE_SESSION": "the session that is meant where none is named",
        "SCENE_DEBUG": "with `wire`, every frame is shown on standard error",
        "NO_COLOR": "if it is not empty, nothing is coloured",
      ],
      exits: [
        .yes: "success, or yes", .no: "no", .usage: "the command line is wrong",
        .badData: "the input is invalid or damaged",
        .noSession: "the session or file does not exist", .noBroker: "no broker answers",
        .fault: "internal error of this program", .inputOutput: "reading or writing failed",
        .tryAgain: "temporary failure; try again later", .notAllowed: "permission denied",
        .badConfiguration: "no configuration matches, or the socket path is missing or unusable",
        .timedOut: "timeout",
      ])
    command.suggestions = [
      "delete": "discard", "rm": "discard", "remove": "discard", "attach": "scene NAME",
      "stop": "close (a scene) or shutdown (the broker)", "start": "activate", "info": "show",
      "log": "trace", "logs": "trace", "suspend": "background", "mv": "rename",
    ]
    return command
  }
}

extension ValueKind {
  /// What sessions are called; anything may be typed.
  static var session: ValueKind {
    .listed(by: "scenectl sessions --names --timeout 300ms", with: ["application", "socket"])
  }
}

extension Option {
  static var noWait: Option { .flag("no-wait", "return when the broker has accepted it") }

  /// Every verb that acts or waits has it.
  static func timeout(_ standard: String = "1m") -> Option {
    .value(
      "timeout", short: "t", "TIME", "wait at most this long", .duration, default: standard
    ).alsoBeforeVerb
  }
}
