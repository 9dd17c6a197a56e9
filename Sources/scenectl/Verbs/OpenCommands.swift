import CommandLine

/// The verbs that open something, and the one that says where it would go.
extension Command {
  private static var whereItGoes: String {
    """
    It goes to the session that prefers its target content identifier, else to one that can be \
    activated for it, else to a new one, whose identifier is printed. Without an identifier it \
    goes to the session that was active last. `scenectl route ID` shows where, and why.
    """
  }

  private static func opener(
    _ name: String, _ summary: String, details: String = "", arguments: [Argument],
    options: [Option], examples: KeyValuePairs<String, String>
  ) -> Command {
    Command(
      name, summary,
      details: (details.isEmpty ? "" : details + "\n\n") + whereItGoes,
      arguments: arguments,
      options: options + [
        .value("target", "ID", "its target content identifier: what content it is about"),
        .value("configuration", short: "c", "NAME", "the configuration of a new session", .name),
        .timeout(), .noWait,
      ],
      examples: examples,
      exits: [
        .no: "there may be no further session, or no client would have the scene",
        .badData: "what was given is not JSON", .tryAgain: "no client can take it now",
      ])
  }

  static var open: Command {
    opener(
      "open", "Open URLs in the scene that they are for.",
      arguments: [.repeated("URL", "what to open")],
      options: [
        .flag("in-place", "the scene may use what it names where it is, without a copy"),
        .value("source", "APP", "the program that wants it opened"),
        .value("annotation", "JSON", "any value to hand over with it"),
      ],
      examples: [
        "scenectl open note:packing --target note/packing":
          "Returns when the scene has it, and is in the foreground.",
        "scenectl open file:///tmp/a.md --in-place --source mail --annotation '[1, 2]'":
          "The scene is told all that.",
      ])
  }

  static var continueActivity: Command {
    opener(
      "continue", "Continue an activity in the scene that it is for.",
      details: """
        With --handoff it comes from another device: a scene that connects because of it is told \
        its type first, and handed the activity once it is there.
        """,
      arguments: [.required("TYPE=JSON", "the activity's type and its userInfo")],
      options: [.flag("handoff", "it comes from another device")],
      examples: [
        "scenectl continue 'com.example.note={\"line\": 42}' --target note/packing":
          "Returns when the scene has it."
      ])
  }

  static var notify: Command {
    opener(
      "notify", "Answer a notification, as a tap on it does.",
      arguments: [.optional("JSON", "what came with the notification, an object; {} without it")],
      options: [.value("action", "ID", "what was chosen; else the notification itself")],
      examples: [
        "scenectl notify '{\"message\": 7}' --action reply": "Returns when the scene has it."
      ])
  }

  static var shortcut: Command {
    opener(
      "shortcut", "Choose a shortcut, as in the menu of an application's icon.",
      arguments: [
        .required("TYPE", "what it is, in the application's own words"),
        .optional("JSON", "its userInfo, an object"),
      ],
      options: [.value("title", "TEXT", "what it is called where people choose")],
      examples: [
        "scenectl shortcut com.example.new --configuration Note":
          "Returns when the scene has it."
      ])
  }

  static var route: Command {
    Command(
      "route", "Show which session something is for, and why.",
      details: """
        Every session is listed that could be chosen, the first choice first, with what it says \
        about the identifier: whether it prefers it, whether it can be activated for it, and the \
        conditions that say so. `*` marks the one that is chosen. Nothing is opened.
        """,
      arguments: [.required("ID", "a target content identifier")],
      examples: ["scenectl route note/packing": "A line for each session, the first choice first."],
      exits: [.no: "it would be a new session"])
  }
}
