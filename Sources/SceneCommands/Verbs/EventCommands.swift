import CommandLine

/// The verbs that keep scenes in sync.
extension Command {
  static var post: Command {
    Command(
      "post", "Post an event to the observers of a topic.",
      details: """
        The broker writes an event of a durable topic to the disk first. The broker keeps the \
        events of other topics in memory. The manifest declares durable topics.

        With --json the verb prints the position of the event. `scenectl observe --after` \
        continues after that position.
        """,
      arguments: [
        .required("TOPIC", "the topic"), .optional("KIND", "the kind of the event"),
        .optional("JSON", "the payload, an object; `-` reads standard input (default: {})"),
      ],
      options: [.timeout()],
      examples: [
        "scenectl post NewMessage added '{\"text\": \"hello\"}'":
          "Returns when the broker has stored the event."
      ],
      exits: [.badData: "the payload is not a JSON object"])
  }

  static var observe: Command {
    Command(
      "observe", "Print the events of topics as they are posted.",
      details: """
        Each line shows the topic, the kind and the payload. With --json a line also shows the \
        position; --after continues after it. A gap means that the broker no longer keeps some \
        events: the verb reports the gap, in JSON as `gap`.

        The verb ends when the broker ends. Without --json the verb then prints the command \
        that continues after the last event.
        """,
      arguments: [.repeated("TOPIC", "the topics")],
      options: [
        .value("after", "POSITION", "start after this position; requires a single topic"),
        .value(
          "last", "N", "start with the last N stored events (default: 0)", .integer(0...1_000_000)),
        .value("count", "N", "end after N events", .integer(1...Int.max)),
      ],
      exclusive: [["after", "last"]],
      examples: [
        "scenectl observe NewMessage": "Prints events until Ctrl-C.",
        "scenectl --json observe NewMessage --last 1 --count 1": "Prints the newest event.",
      ])
  }

  static var refresh: Command {
    Command(
      "refresh", "Tell scenes to load changed content, also in the background.",
      details: """
        Refreshes the named sessions, or with --where all sessions with these members in \
        userInfo. With --where the verb prints the names of the refreshed sessions. The verb skips \
        a session without a scene, unless --open connects the session to a client. The scene then \
        stays in the background.
        """,
      arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
      options: [
        .repeated("where", "NAME=VALUE", "refresh the sessions with this member in userInfo"),
        .flag("open", "connect sessions that have no scene"), .timeout(), .noWait,
      ],
      examples: [
        "scenectl refresh packing": "Returns when the scene has acknowledged the refresh.",
        "scenectl refresh --where list=inbox --open": "Prints a line for each refreshed session.",
      ],
      exits: [
        .failure: "a named session has no scene", .tryAgain: "no client can take the session now",
      ])
  }
}
