import CommandLine

/// The verbs that keep scenes in sync.
extension Command {
  static var post: Command {
    Command(
      "post", "Post an event to a topic: everybody who observes it is told.",
      details: """
        A topic that the manifest declares durable has it on the disk first; others keep it in \
        memory. With --json the position is printed, behind which `scenectl observe --after` \
        goes on.
        """,
      arguments: [
        .required("TOPIC", "which topic"),
        .optional("KIND", "which of the topic's events it is"),
        .optional("JSON", "its payload, an object; `-` reads standard input, and without it {}"),
      ],
      options: [.timeout()],
      examples: [
        "scenectl post NewMessage added '{\"text\": \"hello\"}'": "Returns when it is kept."
      ],
      exits: [.badData: "what was given is not a JSON object"])
  }

  static var observe: Command {
    Command(
      "observe", "Print the events of topics as they are posted.",
      details: """
        A line for each: the topic, the kind and the payload. With --json a line has the position, \
        too; given to --after, it goes on behind that event. Where events are missing, because \
        they are not kept any more, that is said: in JSON as `gap`. When the broker goes it ends; \
        without --json it says then how it is told to go on behind what it has printed.
        """,
      arguments: [.repeated("TOPIC", "which topics")],
      options: [
        .value("after", "POSITION", "go on behind this position; for one topic"),
        .value("last", "N", "begin with the last N that are kept", .integer(0...1_000_000)),
        .value("count", "N", "end after N events", .integer(1...Int.max)),
      ],
      exclusive: [["after", "last"]],
      examples: [
        "scenectl observe NewMessage": "Goes on for as long as somebody reads it.",
        "scenectl --json observe NewMessage --last 1 --count 1": "The newest event.",
      ])
  }

  static var refresh: Command {
    Command(
      "refresh", "Have scenes take in what has changed, also in the background.",
      details: """
        Named sessions, or with --where all whose userInfo has these members; of those the names \
        are printed. A session without a scene is left alone, unless --open brings it to a client, \
        where it stays in the background.
        """,
      arguments: [.any("SESSION", "which sessions", .session)],
      options: [
        .repeated("where", "NAME=VALUE", "a member of the userInfo; may be given several times"),
        .flag("open", "sessions without a scene, too"),
        .timeout(), .noWait,
      ],
      examples: [
        "scenectl refresh packing": "Returns when the scene has acknowledged it.",
        "scenectl refresh --where list=inbox --open": "A line for each session that was refreshed.",
      ],
      exits: [.no: "one that was named has no scene", .tryAgain: "no client can take it now"])
  }
}
