import CommandLine
import SceneModel

/// The verbs that only look.
extension Command {
  private static var lastColumn: String {
    """
    What was used last comes first: LAST is how long ago it was last taken, let go or \
    activated, by the application's clock.
    """
  }

  static var status: Command {
    Command(
      "status", "Show how the application is, and its sessions.",
      details: lastColumn,
      examples: ["scenectl --json": "The answer to application/status."])
  }

  static var sessions: Command {
    Command(
      "sessions", "List the sessions.",
      details: lastColumn + """


        With --json it prints a line for each page of the list; with --watch, one for each \
        session, and then one for each change.
        """,
      options: [
        .flag("watch", short: "w", "go on with what changes, for as long as somebody reads it"),
        .flag("names", "print only what sessions are called, a line for each"),
        .choice(
          "state", ActivationState.allCases.map(\.rawValue), "list the sessions in this state"),
        .value("role", "ROLE", "list the sessions of this role", .name),
        .repeated("where", "NAME=VALUE", "list the sessions with this member in userInfo"),
        .value(
          "timeout", "TIME",
          "give up a broker that has not answered after this long; 10s unless given", .duration),
      ],
      exclusive: [
        ["watch", "names"], ["watch", "timeout"], ["watch", "state"], ["watch", "role"],
        ["watch", "where"],
      ],
      examples: [
        "scenectl sessions --watch": "On a terminal the list stays up to date.",
        "scenectl sessions --state background --where list=inbox":
          "The sessions in the background with this member.",
        "scenectl sessions --json --watch": "One object a line, for a program that follows.",
      ])
  }

  static var show: Command {
    Command(
      "show", "Show all there is to know of a session.",
      arguments: [.optional("SESSION", "which session", .session)],
      options: [
        .value("value", "PATH", "print only this value: a text as it is, others as JSON")
      ],
      examples: [
        "scenectl show packing": "The session, and the activity it will come back with.",
        "scenectl show packing --value activity.userInfo.line": "Prints 42, for example.",
      ],
      exits: [.no: "there is no such value"])
  }

  static var switcher: Command {
    Command(
      "switcher", "Show the sessions as an app switcher does: titles and snapshots.",
      details: """
        What was used last comes first. A snapshot is the text that a scene last gave of itself; it \
        is there when the scene is not.
        """,
      options: [.value("limit", "N", "show so many; 20 unless given", .integer(1...100_000))],
      examples: [
        "scenectl switcher": "A card for each session.",
        "scenectl switcher --json": "All there is to know of each, one object a line.",
      ])
  }

  static var history: Command {
    Command(
      "history", "Show which activities of a session are kept.",
      details: """
        One that was withheld after a crash loop says so, until it is given back: `scenectl restore` \
        does that.
        """,
      arguments: [.optional("SESSION", "which session", .session)],
      examples: ["scenectl history packing": "A line for each generation, the newest last."])
  }

  static var why: Command {
    Command(
      "why", "Show why a session is where it is.",
      details: "What was done with it, why, and by whom, for as long as its broker has run.",
      arguments: [.optional("SESSION", "which session", .session)],
      examples: ["scenectl why packing": "A line for each reason, the newest last."])
  }
}
