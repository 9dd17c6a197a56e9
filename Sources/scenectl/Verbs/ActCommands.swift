import CommandLine

/// The verbs that do what a user does.
extension Command {
  static var new: Command {
    Command(
      "new", "Make a session, and a scene of it in a client that waits for one.",
      details: "Prints its name, or its identifier if it has none.",
      arguments: [.optional("NAME", "what it is to be called")],
      options: [
        .value("role", "ROLE", "what its scenes are for", .name, default: "windowApplication"),
        .value("configuration", short: "c", "NAME", "one of the manifest's configurations", .name),
        .value("activity", "TYPE=JSON", "what its first scene is to continue"),
        .flag("background", "leave the scene in the background"),
        .timeout(),
      ],
      examples: [
        "scenectl new packing": "Prints packing.",
        "scenectl new --activity 'com.example.note={\"line\": 42}'":
          "The scene is connected with that activity among its options.",
      ],
      exits: [.no: "there is one of that name", .tryAgain: "no client can take it now"])
  }

  static var activate: Command {
    Command(
      "activate", "Bring sessions to the foreground, as a tap in the app switcher does.",
      arguments: [.any("SESSION", "which sessions", .session)],
      options: [
        .value("activity", "TYPE=JSON", "what the scene is to continue"),
        .flag("background", "connect the session, but leave its scene in the background"),
        .timeout(), .noWait,
      ],
      examples: [
        "scenectl activate packing": "Returns when the scene is active."
      ],
      exits: [.tryAgain: "no client can take it now"])
  }

  static var background: Command {
    mover(
      "background", "Send scenes to the background, as the home gesture does.",
      example: "Returns when the scene has saved where it was.")
  }

  static var interrupt: Command {
    mover(
      "interrupt", "Interrupt scenes, as a call that comes in does.",
      example: "The scene is in the foreground, but not active.")
  }

  static var resume: Command {
    mover(
      "resume", "End an interruption: make connected scenes active.",
      example: "The scene is active again.")
  }

  static var close: Command {
    mover(
      "close", "Disconnect scenes in order; their sessions stay.",
      example: "The scene went down the line; `scenectl activate` brings it back.")
  }

  private static func mover(_ name: String, _ summary: String, example: String) -> Command {
    Command(
      name, summary, arguments: [.any("SESSION", "which sessions", .session)],
      options: [.timeout(), .noWait],
      examples: ["scenectl \(name) packing": example],
      exits: [.no: "it went elsewhere, or is not connected"])
  }

  static var reclaim: Command {
    Command(
      "reclaim", "Disconnect scenes in the background, as the system does for memory.",
      details: """
        Without a SESSION it takes those that the manifest's policy does not let stay, or, where it \
        has none, all. One that an assertion keeps there stays.
        """,
      arguments: [.any("SESSION", "which sessions; without any, by the policy", .session)],
      options: [.flag("dry-run", "only print which it would be"), .timeout(), .noWait],
      exclusive: [["dry-run", "no-wait"]],
      examples: ["scenectl reclaim --dry-run": "A line for each scene it would take."],
      exits: [.no: "one that was named is in the foreground"])
  }

  static var discard: Command {
    Command(
      "discard", "End sessions for good, as a swipe in the app switcher does.",
      details: "They and what was saved for them are gone. One that is not there refuses all.",
      arguments: [.any("SESSION", "which sessions", .session)],
      options: [
        .flag(
          "offline",
          "while no broker runs: in its state; the application delegate is told when it is "
            + "launched next"),
        .value(
          "state", "DIR", "with --offline: which state, if not the application's own", .directory),
        .timeout(), .noWait,
      ],
      exclusive: [["offline", "no-wait"]],
      examples: [
        "scenectl discard packing": "Returns when the session is gone.",
        "scenectl discard --offline packing": "The same while no broker runs.",
      ],
      exits: [.tryAgain: "with --offline: a broker runs"])
  }

  static var save: Command {
    Command(
      "save", "Save the activity that a session will come back with.",
      details: "TYPE=JSON in one word says the same as TYPE and JSON.",
      arguments: [
        .optional(
          "SESSION", "which session; may be left out where $SCENE_SESSION is set", .session),
        .optional("TYPE", "the activity's type"),
        .optional("JSON", "the activity's userInfo, an object; `-` reads standard input"),
      ],
      options: [.flag("clear", "save that there is none"), .timeout()],
      examples: [
        "scenectl save packing com.example.note '{\"line\": 42}'": "Returns when it is durable.",
        "scenectl save packing --clear": "The session will come back without one.",
      ],
      exits: [.badData: "what was given is not a JSON object"])
  }

  static var kill: Command {
    Command(
      "kill", "Send a signal to the process that holds a session.",
      details: """
        Returns when the broker has seen the end of what the process held. After a signal that \
        stops a process, or lets it go on, there is no end to wait for. The broker sends the \
        signal: why and history name the sender.
        """,
      arguments: [.any("SESSION", "which sessions", .session)],
      options: [
        .value("signal", short: "s", "NAME", "which signal", default: "KILL"),
        .timeout("10s"), .noWait,
      ],
      examples: ["scenectl kill packing": "As a crash; `scene packing` recovers it."],
      exits: [
        .no: "no process holds it", .notAllowed: "the process is somebody else's",
        .timedOut: "the process goes on",
      ])
  }

  static var shutdown: Command {
    Command(
      "shutdown", "End the application in order, and its broker.",
      details: """
        Every scene goes down the line first, for which all together have 4 s, and 8 s at the very \
        most. Returns when the broker is gone.
        """,
      options: [.timeout(), .noWait],
      examples: ["scenectl shutdown": "At most a few seconds later all is saved and ended."])
  }

  static var restore: Command {
    Command(
      "restore", "Give a session an earlier activity back.",
      details: """
        The earlier activity becomes the newest: nothing is lost, and it can be undone the same \
        way. Without a GENERATION it is the one that is withheld after a crash loop, else the one \
        before the newest. A scene that is connected is not told; it gets it when it comes back.
        """,
      arguments: [
        .optional("SESSION", "which session", .session),
        .optional("GENERATION", "its number, as scenectl history shows it"),
      ],
      options: [.timeout()],
      examples: [
        "scenectl restore packing": "What was saved before the newest counts again.",
        "scenectl restore packing 3": "Generation 3 counts again.",
      ],
      exits: [.no: "there is none that is earlier", .badData: "that generation is not kept"])
  }

  static var data: Command {
    Command(
      "data", "Print the directory that a session keeps files in.",
      details: """
        It is made when it is first asked for, stays as it is when the scene is disconnected, and \
        is removed when the session is discarded.
        """,
      arguments: [.optional("SESSION", "which session", .session)],
      options: [.timeout()],
      examples: ["ls \"$(scenectl data packing)\"": "What the session keeps there."])
  }
}
