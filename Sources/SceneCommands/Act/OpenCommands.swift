import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import SceneScript

extension Verb {
  private static var routing: String {
    """
    The target content identifier (--target) names the content, such as note/packing. The broker \
    chooses a session that prefers this identifier, else a session that can show it, else a new \
    session. The verb prints the identifier of a new session. Without --target the broker chooses \
    the session that was active last. Where only one session is possible, that session gets the \
    content. `scenectl route ID` shows the choice and its reason.
    """
  }

  private static func opener(
    _ name: String, _ summary: String,
    run: @escaping @Sendable (CommandContext) -> () throws -> ExitCode, details: String = "",
    arguments: [Argument], options: [Option], examples: KeyValuePairs<String, String>
  ) -> Verb {
    Verb(
      name, summary, script: .acts, run: run,
      details: (details.isEmpty ? "" : details + "\n\n") + routing,
      arguments: arguments,
      options: options + [
        .value("target", "ID", "the target content identifier"),
        .value("session", "SESSION", "the session that gets the content", .session),
        .value("configuration", short: "c", "NAME", "the configuration of a new session", .name),
        .timeout(), .noWait,
      ],
      exclusive: [["session", "target"], ["session", "configuration"]],
      examples: examples,
      exits: [
        .failure: "no further session is allowed, or every client refused the scene",
        .badData: "the input is not JSON", .tryAgain: "no client can take the session now",
      ])
  }

  static let open = opener(
    "open", "Open URLs in the scene for their content.", run: CommandContext.open,
    arguments: [.repeated("URL", "the URLs")],
    options: [
      .flag("in-place", "the scene may use the file where it is, without a copy"),
      .value("source", "APP", "the program that opens the URLs"),
      .value("annotation", "JSON", "a JSON value that the scene gets with the URLs, or `@FILE`"),
    ],
    examples: [
      "scenectl open note:packing --target note/packing":
        "Returns when the scene has the URL and is in the foreground.",
      "scenectl open file:///tmp/a.md --in-place --source mail --annotation '[1, 2]'":
        "The scene receives the source and the annotation, too.",
    ])

  static let continueActivity = opener(
    "continue", "Continue an activity in the scene for its content.",
    run: CommandContext.continueActivity,
    details: """
      With --handoff the activity comes from another device. A scene that connects for it first \
      receives the type of the activity, and then the activity. With --web the activity is the page \
      of a universal link, and its type is NSUserActivityTypeBrowsingWeb.
      """,
    arguments: [.optional("TYPE=JSON", "the type of the activity and its userInfo")],
    options: [
      .value("web", "URL", "the page of a universal link, instead of TYPE=JSON"),
      .value("title", "TEXT", "the title of the page"),
      .flag("handoff", "the activity comes from another device"),
    ],
    examples: [
      "scenectl continue --web https://example.com/notes/packing":
        "Returns when the scene has the page.",
      "scenectl continue 'com.example.note={\"line\": 42}' --target note/packing":
        "Returns when the scene has the activity.",
    ])

  static let notify = opener(
    "notify", "Deliver the user's response to a notification.", run: CommandContext.notify,
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

  static let shortcut = opener(
    "shortcut", "Choose a shortcut of the application.", run: CommandContext.shortcut,
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

extension CommandContext {
  fileprivate func open() throws -> ExitCode {
    // Any JSON value.
    let annotation = try invocation.value("annotation").map {
      try json($0, what: "--annotation")
    }
    let contexts = try invocation.arguments("URL").map { url in
      try OpenURLContext { writer in
        writer.member("url", url)
        writer.name("options")
        writer.beginObject()
        if invocation.has("in-place") { writer.member("openInPlace", true) }
        writer.member("sourceApplication", ifPresent: invocation.value("source"))
        if let annotation { writer.member("annotation", annotation) }
        writer.endObject()
      }
    }
    return try open(.urls(contexts))
  }

  fileprivate func continueActivity() throws -> ExitCode {
    let activity =
      switch (invocation.argument("TYPE=JSON"), invocation.value("web")) {
      case (let text?, nil) where !invocation.has("title"):
        try activity(from: text, what: "TYPE=JSON")
      case (nil, let url?): try webActivity(url)
      case (_, _):
        throw invocation.usageError("give either TYPE=JSON, or --web with or without --title")
      }
    return try open(invocation.has("handoff") ? .handoff(activity) : .activity(activity))
  }

  private func webActivity(_ url: String) throws -> Activity {
    guard url.wholeMatch(of: /https?:\/\/[^\/?#\s]+([\/?#]\S*)?/.ignoresCase()) != nil else {
      throw invocation.usageError(
        "option --web: expected a URL with http or https and a host, such as "
          + "https://example.com/notes, found \"\(PlainText.escaped(url))\"")
    }
    return try Activity { writer in
      writer.member("activityType", Activity.browsingWeb)
      writer.member("title", ifPresent: invocation.value("title"))
      writer.member("webpageURL", url)
      writer.member("userInfo", .emptyObject)
    }
  }

  fileprivate func notify() throws -> ExitCode {
    let userInfo = try object(invocation.argument("JSON") ?? "{}", what: "JSON")
    return try open(
      .notification(
        try .init { writer in
          writer.member("actionIdentifier", ifPresent: invocation.value("action"))
          writer.member("userInfo", userInfo)
        }))
  }

  fileprivate func shortcut() throws -> ExitCode {
    let userInfo = try invocation.argument("JSON").map { try object($0, what: "JSON") }
    return try open(
      .shortcut(
        try .init { writer in
          writer.member("type", ifPresent: invocation.argument("TYPE"))
          writer.member("localizedTitle", ifPresent: invocation.value("title"))
          if let userInfo { writer.member("userInfo", userInfo) }
        }))
  }

  private func open(_ content: OpenedContent) throws -> ExitCode {
    var request = ApplicationOpen(content)
    request.targetContentIdentifier = invocation.value("target")
    request.session = try invocation.value("session").map { try findSessions([$0])[0].identifier }
    request.noWait = invocation.has("no-wait")
    request.configuration = invocation.value("configuration")
    request.environment = try environmentOfActivation()
    let json = try explainingMissingConfiguration {
      try replyUnlessAccepted(to: request, about: invocation.verbs[0], as: "--new")
    }
    guard let json else { return .success }
    let reply = try ControlConnection.read(ApplicationOpen.Reply.self, from: json)
    if printsJSON {
      console.print(json)
    } else if reply.isNew {
      console.print(reply.session.description)
    } else if request.noWait {
      let session = try findSessions([reply.session.description])[0]
      console.print("delivered to \(session.details.summary.label)")
    }
    warnOfMissingConfiguration(of: reply.session)
    return .success
  }
}
