import CommandLine
import ScenePlatform

/// The verbs that act as the user does.
extension Command {
  static var new: Command {
    Command(
      "new", "Make a session and connect it to a waiting client.",
      details: "Prints the name of the session, or its identifier if it has no name.",
      arguments: [.optional("NAME", "the name of the session")],
      options: [
        .value("role", "ROLE", "the role of the session", .name, default: "windowApplication"),
        .value("configuration", short: "c", "NAME", "a configuration of the manifest", .name),
        .value("activity", "TYPE=JSON", "an activity for the connection options"),
        .flag("background", "connect the scene and leave it in the background"),
        .timeout(),
      ],
      examples: [
        "scenectl new packing": "Prints packing.",
        "scenectl new --activity 'com.example.note={\"line\": 42}'":
          "The scene is connected with that activity among its options.",
      ],
      exits: [
        .failure: "the name is taken", .tryAgain: "no client can take the session now",
      ])
  }

  static var activate: Command {
    Command(
      "activate", "Bring sessions to the foreground.",
      arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
      options: [
        .value("activity", "TYPE=JSON", "an activity for the scene to continue"),
        .flag("background", "connect the session and leave its scene in the background"),
        .timeout(), .noWait,
      ],
      examples: [
        "scenectl activate packing": "Returns when the scene is active."
      ],
      exits: [.tryAgain: "no client can take the session now"])
  }

  static var background: Command {
    mover(
      "background", "Send scenes to the background.",
      example: "Returns when the scene has saved its activity.")
  }

  static var interrupt: Command {
    mover(
      "interrupt", "Make active scenes inactive, as a phone call does.",
      example: "The scene is in the foreground and inactive.")
  }

  static var resume: Command {
    mover(
      "resume", "Make connected scenes active after an interruption.",
      example: "The scene is active again.")
  }

  static var close: Command {
    mover(
      "close", "Disconnect scenes cleanly; their sessions stay.",
      example: "The scene is disconnected; `scenectl activate` connects it again.",
      failure: "a later request moved the scene")
  }

  private static func mover(
    _ name: String, _ summary: String, example: String,
    failure: String = "the scene is not connected, or a later request moved it"
  ) -> Command {
    Command(
      name, summary,
      arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
      options: [.timeout(), .noWait],
      examples: ["scenectl \(name) packing": example],
      exits: [.failure: failure])
  }

  static var reclaim: Command {
    Command(
      "reclaim", "Disconnect scenes in the background to free memory.",
      details: """
        The manifest can have a reclaim policy: a limit for the number of scenes in the \
        background, or for their age. Without SESSION the verb reclaims the scenes beyond this \
        policy, or all scenes in the background if there is no policy. A scene with an assertion \
        stays: its client has asked the broker not to reclaim it.
        """,
      arguments: [.any("SESSION", "the sessions; default: those beyond the policy", .session)],
      options: [.flag("dry-run", "print the sessions and reclaim none"), .timeout(), .noWait],
      exclusive: [["dry-run", "no-wait"]],
      examples: [
        "scenectl reclaim --dry-run": "Prints a line for each scene that the verb would reclaim."
      ],
      exits: [.failure: "a named scene is in the foreground"])
  }

  static var discard: Command {
    Command(
      "discard", "Delete sessions and everything saved for them.",
      details: """
        The verb needs SESSION or --all: it does not use $SCENE_SESSION. If any session does not \
        exist, the broker discards none.
        """,
      arguments: [.any("SESSION", "the sessions", .session)],
      options: [
        .flag("all", "discard all sessions of the application"),
        .flag(
          "offline",
          "discard in the state directory while no broker runs; the next application delegate "
            + "to connect gets the report"),
        .value(
          "state", "DIR", "with --offline: the state directory", .directory),
        .timeout(), .noWait,
      ],
      exclusive: [["offline", "no-wait"]],
      examples: [
        "scenectl discard packing": "Returns when the session is gone.",
        "scenectl discard --all": "Returns when no session is left.",
        "scenectl discard --offline packing": "Discards the session while no broker runs.",
      ],
      exits: [.tryAgain: "with --offline: a broker is running"])
  }

  static var save: Command {
    Command(
      "save", "Save an activity for a session.",
      details: "TYPE=JSON in one word is the same as TYPE JSON.",
      arguments: [
        .optional(
          "SESSION", "the session; default: $SCENE_SESSION", .session),
        .optional("TYPE", "the type of the activity"),
        .optional("JSON", "its userInfo, an object; `-` reads standard input"),
      ],
      options: [.flag("clear", "clear the saved activity"), .timeout()],
      examples: [
        "scenectl save packing com.example.note '{\"line\": 42}'":
          "Returns when the activity is on the disk.",
        "scenectl save packing --clear": "The next client gets no activity.",
      ],
      exits: [.badData: "the input is not a JSON object"])
  }

  static var kill: Command {
    Command(
      "kill", "Send a signal to the process that holds a session.",
      details: """
        Returns when the broker has seen the end of the process. After a signal that stops or \
        continues a process, the verb returns at once. `scenectl why` and `scenectl history` name \
        the sender. The verb does not use $SCENE_SESSION.
        """,
      arguments: [.repeated("SESSION", "the sessions", .session)],
      options: [
        .value(
          "signal", short: "s", "NAME", "the signal; also -NAME or -NUMBER",
          default: "KILL"
        ).dashed(Signal.words),
        .timeout("10s"), .noWait,
      ],
      examples: [
        "scenectl kill packing": "Ends the process as a crash does.",
        "scenectl kill -TERM packing": "Asks the process to end.",
      ],
      exits: [
        .failure: "no process holds the session", .notAllowed: "another user owns the process",
        .timedOut: "the process still runs",
      ])
  }

  static var shutdown: Command {
    Command(
      "shutdown", "End the application cleanly, and then its broker.",
      details: """
        The broker disconnects every scene cleanly. All scenes together have 4 s for that. If \
        the broker has not read all answers by then, they have 8 s. The verb returns when the broker has \
        ended.
        """,
      options: [.timeout(), .noWait],
      examples: [
        "scenectl shutdown": "Returns when all scenes have saved and the broker has ended."
      ])
  }

  static var restore: Command {
    Command(
      "restore", "Make an earlier activity of a session current.",
      details: """
        The verb saves the earlier activity as a new generation. The broker keeps the last three \
        generations. The default GENERATION is the one that the broker withholds after a crash \
        loop, else the one before the newest.

        A client gets the activity when it connects. While a scene is connected, its next save \
        replaces the restored activity, and the verb prints a warning. Close the scene first: \
        scenectl close SESSION.
        """,
      arguments: [
        .optional("SESSION", "the session; default: $SCENE_SESSION", .session),
        .optional("GENERATION", "its number in scenectl history"),
      ],
      options: [.timeout()],
      examples: [
        "scenectl restore packing": "The activity before the newest is current.",
        "scenectl restore packing 3": "Generation 3 is current.",
      ],
      exits: [
        .failure: "there is no earlier activity",
        .badData: "the broker does not keep that generation",
      ])
  }

  static var data: Command {
    Command(
      "data", "Print the directory for the files of a session.",
      details: """
        The broker makes the directory when a client first asks for it. The directory stays when \
        the scene disconnects. The broker removes it when the session is discarded.
        """,
      arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
      options: [.timeout()],
      examples: ["ls \"$(scenectl data packing)\"": "Lists the files of the session."])
  }
}
