import SceneCommandLine
import SceneControl
import SceneModel

extension Scenectl {
  static let command = {
    var command = Command(
      "scenectl", "Control the scenes of an application.",
      version: productVersion,
      details: """
        SESSION is the name of a session, its identifier, or the first digits of its identifier: \
        at least 4, and enough to be unique. A name has precedence over digits. The default is \
        $SCENE_SESSION, except for `discard` and `kill`.

        A verb that acts returns when the action is done, and prints nothing. After --timeout, \
        which may precede the verb, the verb ends with status 124, and the broker continues the \
        action. Every verb ends with status 124 if the broker does not answer for 10 s. If the \
        reader of its output exits, a verb ends as after SIGPIPE (status 141 in a shell).
        """,
      options: [
        .application,
        .value(
          "socket", short: "S", "PATH",
          "the socket of the broker; default: $SCENE_SOCKET, else that of the application", .file),
        .flag("start", "start scened in the background if no broker runs"),
        .flag("json", "print the reply of the broker as one line of JSON"),
      ],
      groups: Verb.groups.map { ($0.heading, $0.verbs.map(\.command)) },
      defaultVerb: Verb.status.name,
      examples: [
        "scenectl": "Shows the application and its sessions.",
        "scenectl background packing": "Sends packing to the background.",
        "scenectl wait 'packing foregroundActive'": "Returns when the scene is active.",
      ],
      environment: [
        "SCENE_APPLICATION": "the name of the application; --application has precedence",
        "SCENE_CONFIG": "the settings file; default: ~/.config/scenebroker/config",
        "SCENE_SOCKET": "the socket of the broker; --socket has precedence",
        "SCENE_AUTOSTART": "1 has the effect of --start",
        "SCENE_SESSION": "the session of a verb without SESSION",
        "SCENE_ENVIRONMENT": "the names of the variables that `scenectl environment` sends",
        "SCENE_DEBUG": "`wire` shows each frame on standard error",
        "NO_COLOR": "any value turns colors off",
      ],
      exits: [
        .success: "success, or the answer is yes",
        .failure: "the answer is no, or the action or test failed",
        .usage: "the command line is wrong",
        .badData: "the input is invalid or damaged",
        .noSession: "the session or file does not exist", .noBroker: "no broker answers",
        .fault: "an internal error", .inputOutput: "reading or writing failed",
        .tryAgain: "temporary failure; try again later", .notAllowed: "permission denied",
        .badConfiguration: "no configuration matches, no socket path is configured, or the path "
          + "cannot be used",
        .timedOut: "the timeout elapsed",
      ])
    command.suggestions = [
      "delete": "discard", "rm": "discard", "remove": "discard", "attach": "scene NAME",
      "stop": "close (a scene) or shutdown (the broker)", "start": "scene NAME", "info": "show",
      "restart": "reopen (a window that ended)", "log": "trace", "logs": "trace",
      "suspend": "background", "bg": "background", "detach": "background", "fg": "activate",
      "mv": "rename", "undo": "history (the saved activities) or undiscard (a session)",
      "prune": "sessions --state unattached", "version": "scenectl --version",
      "quit": "shutdown (the broker)", "exit": "shutdown (the broker)",
    ]
    return command
  }()
}

extension ValueKind {
  /// A session. The shell completes names; the parser accepts any text.
  static var session: ValueKind {
    .listed(by: listOfSessions, with: ["application", "socket"])
  }

  /// A word of a condition: a session or a state. The parser accepts any text but the empty text.
  static var condition: ValueKind {
    .listed(
      by: listOfSessions, with: ["application", "socket"],
      also: ["application"] + ConditionArguments.states)
  }

  private static let listOfSessions = "scenectl sessions --names --timeout 300ms"
}

extension Option {
  static var noWait: Option { .flag("no-wait", "return when the broker has accepted the request") }

  /// Every verb that acts or waits has it.
  static func timeout(_ standard: String = "1m") -> Option {
    .value(
      "timeout", short: "t", "TIME", "the longest time to wait", .duration, default: standard
    ).alsoBeforeVerb
  }
}
