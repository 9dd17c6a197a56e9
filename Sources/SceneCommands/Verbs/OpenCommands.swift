import CommandLine

/// The verbs that open content in a scene, and `route`.
extension Command {
  private static var routing: String {
    """
    The target content identifier (--target) names the content, such as note/packing. The broker \
    chooses a session that prefers this identifier, else a session that can show it, else a new \
    session. The verb prints the identifier of a new session. Without --target the broker chooses \
    the session that was active last. `scenectl route ID` shows the choice and its reason.
    """
  }

  private static func opener(
    _ name: String, _ summary: String, details: String = "", arguments: [Argument],
    options: [Option], examples: KeyValuePairs<String, String>
  ) -> Command {
    Command(
      name, summary,
      details: (details.isEmpty ? "" : details + "\n\n") + routing,
      arguments: arguments,
      options: options + [
        .value("target", "ID", "the target content identifier"),
        .value("configuration", short: "c", "NAME", "the configuration of a new session", .name),
        .timeout(), .noWait,
      ],
      examples: examples,
      exits: [
        .failure: "no further session is allowed, or every client refused the scene",
        .badData: "the input is not JSON", .tryAgain: "no client can take the session now",
      ])
  }

  static var open: Command {
    opener(
      "open", "Open URLs in the scene for their content.",
      arguments: [.repeated("URL", "the URLs")],
      options: [
        .flag("in-place", "the scene may use the file where it is, without a copy"),
        .value("source", "APP", "the program that opens the URLs"),
        .value("annotation", "JSON", "a JSON value that the scene gets with the URLs"),
      ],
      examples: [
        "scenectl open note:packing --target note/packing":
          "Returns when the scene has the URL and is in the foreground.",
        "scenectl open file:///tmp/a.md --in-place --source mail --annotation '[1, 2]'":
          "The scene receives the source and the annotation, too.",
      ])
  }

  static var continueActivity: Command {
    opener(
      "continue", "Continue an activity in the scene for its content.",
      details: """
        With --handoff the activity comes from another device. A scene that connects for it first \
        receives the type of the activity, and then the activity.
        """,
      arguments: [.required("TYPE=JSON", "the type of the activity and its userInfo")],
      options: [.flag("handoff", "the activity comes from another device")],
      examples: [
        "scenectl continue 'com.example.note={\"line\": 42}' --target note/packing":
          "Returns when the scene has the activity."
      ])
  }

  static var notify: Command {
    opener(
      "notify", "Deliver the user's response to a notification.",
      arguments: [.optional("JSON", "the userInfo of the notification, an object (default: {})")],
      options: [
        .value(
          "action", "ID",
          "the action that the user chose; without it, the user opened the notification")
      ],
      examples: [
        "scenectl notify '{\"message\": 7}' --action reply":
          "Returns when the scene has the response."
      ])
  }

  static var shortcut: Command {
    opener(
      "shortcut", "Choose a shortcut of the application.",
      arguments: [
        .required("TYPE", "the type of the shortcut, which the application defines"),
        .optional("JSON", "its userInfo, an object"),
      ],
      options: [.value("title", "TEXT", "the localized title of the shortcut")],
      examples: [
        "scenectl shortcut com.example.new --configuration Note":
          "Returns when the scene has the shortcut."
      ])
  }

  static var route: Command {
    Command(
      "route", "Show which session the broker chooses for content.",
      details: """
        Lists the candidates in order, with the activation conditions that match the identifier: \
        `prefers` or `can`. A `*` marks the chosen session. The verb opens nothing.
        """,
      arguments: [.required("ID", "a target content identifier")],
      examples: ["scenectl route note/packing": "Prints a line for each candidate."],
      exits: [.failure: "the broker would make a new session"])
  }
}
