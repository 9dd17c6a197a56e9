import CommandLine
import SceneModel

/// The verbs that only read.
extension Command {
  private static var lastColumn: String {
    """
    The most recently used session comes first. LAST shows the time since the session was last \
    connected, disconnected or activated, by the clock of the application.
    """
  }

  static var status: Command {
    Command(
      "status", "Show the application and its sessions.", details: lastColumn,
      examples: ["scenectl --json": "Prints the reply to application/status."])
  }

  static var sessions: Command {
    Command(
      "sessions", "List the sessions.",
      details: lastColumn + """


        With --json the verb prints a line for each page of the list. With --json --watch it \
        prints a line for each session, and then a line for each change.
        """,
      options: [
        .flag("watch", short: "w", "keep the list up to date until Ctrl-C"),
        .flag(
          "names",
          "print only the name of each session, or the start of its identifier if it has no name"),
        .choice(
          "state", ActivationState.allCases.map(\.rawValue), "list the sessions in this state"),
        .value("role", "ROLE", "list the sessions of this role", .name),
        .repeated("where", "NAME=VALUE", "list the sessions with this member in userInfo"),
        .value(
          "timeout", "TIME", "the time for the broker to answer (default: 10s)", .duration),
      ],
      exclusive: [
        ["watch", "names"], ["watch", "timeout"], ["watch", "state"], ["watch", "role"],
        ["watch", "where"],
      ],
      examples: [
        "scenectl sessions --watch": "Shows the current list on the terminal.",
        "scenectl sessions --state background --where list=inbox":
          "Lists the sessions in the background with this member.",
        "scenectl sessions --json --watch": "Prints an object for each change.",
      ])
  }

  static var show: Command {
    Command(
      "show", "Show all properties of a session.",
      arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
      options: [
        .value(
          "value", "PATH",
          "print only this value, such as activity.userInfo.line: a string without quotes, any "
            + "other value as JSON"
        )
      ],
      examples: [
        "scenectl show packing": "Shows the session and its saved activity.",
        "scenectl show packing --value activity.userInfo.line": "Prints a value, such as 42.",
      ],
      exits: [.failure: "the session has no such value"])
  }

  static var switcher: Command {
    Command(
      "switcher", "Show titles and snapshots, as an app switcher does.",
      details: """
        The most recently used session comes first. A snapshot is the text that a scene last sent \
        to show what it looks like. The snapshot stays after the scene disconnects.
        """,
      options: [
        .value("limit", "N", "the number of sessions (default: 20)", .integer(1...100_000))
      ],
      examples: [
        "scenectl switcher": "Shows a card for each session.",
        "scenectl switcher --json": "Prints an object with all properties of each session.",
      ])
  }

  static var history: Command {
    Command(
      "history", "Show the stored activities of a session.",
      details: """
        Each saved activity is a generation of the session. In a crash loop, several clients in a \
        row crash with the same activity. The broker then withholds that activity from the next \
        client, and the list marks it as withheld. `scenectl restore` makes it current again.
        """,
      arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
      examples: ["scenectl history packing": "Prints a line for each generation, newest last."])
  }

  static var why: Command {
    Command(
      "why", "Show the chain of causes for a session's state.",
      details: "Each line shows an action, its reason and the process that requested it.",
      arguments: [.optional("SESSION", "the session; default: $SCENE_SESSION", .session)],
      examples: [
        "scenectl why packing": "Prints the reasons since the broker started, newest last."
      ])
  }
}
