import SceneModel

extension PromptCommand {
  /// All commands, in the order of the help.
  static let all = [
    activity, title, subtitle, snapshot, conditions, post, observe, cease, data, background,
    activate, close, discard, hang, crash, status, help,
  ]

  static let activity = PromptCommand(
    "activity", arguments: "TYPE JSON", "save the activity; null clears it",
    example: #"com.example.note {"line": 42}"#,
    json: [
      #""activityType":"com.example.note","userInfo":{"line":42}"#, #""activity":null"#,
    ], .activity
  ) { $0.save($2, of: $1, $3) }

  static let title = PromptCommand(
    "title", arguments: "TEXT", "set the title; null removes it", example: "Packing for Rome",
    json: [#""title":"Packing""#, #""title":null"#], .text("title")
  ) { SceneUpdate(session: $0, title: .orNull($1)) }

  static let subtitle = PromptCommand(
    "subtitle", arguments: "TEXT", "set the subtitle; null removes it", example: "3 of 12 packed",
    json: [#""subtitle":"3 of 12 packed""#], .text("subtitle")
  ) { SceneUpdate(session: $0, subtitle: .orNull($1)) }

  static let snapshot = PromptCommand(
    "snapshot", arguments: "TEXT", "set the text for the switcher; null removes it",
    example: "shirts, socks, passport", json: [#""snapshot":"3 of 12 packed""#], .text("snapshot")
  ) { SceneUpdate(session: $0, snapshot: .orNull($1)) }

  static let conditions = PromptCommand(
    "conditions", arguments: "prefers|can PREDICATE",
    "set an activation condition; null removes all",
    example: #"prefers self BEGINSWITH "note/""#,
    json: [
      #""prefersToActivate":"self == \"note/packing\"","canActivate":null"#,
      #""activationConditions":null"#,
    ], .conditions
  ) { SceneUpdate(session: $0, activationConditions: .orNull($1)) }

  static let post = PromptCommand(
    "post", arguments: "TOPIC [KIND] [JSON]",
    "post an event to all observers, including this scene",
    example: #"NewMessage added {"text": "hello"}"#,
    json: [#""topic":"NewMessage","kind":"added","payload":{"text":"hello"}"#], .event
  ) { _, event in event }

  static let observe = PromptCommand(
    "observe", arguments: "TOPIC", "receive the events of a topic in the foreground",
    example: "NewMessage",
    json: [#""topic":"NewMessage""#], .topic
  ) { $0.observe($2, of: $1, $3) }

  static let cease = PromptCommand(
    "cease", arguments: "TOPIC", "stop receiving the events of a topic", example: "NewMessage",
    json: [#""topic":"NewMessage""#], .topic
  ) { $0.cease($2, of: $1, $3) }

  static let data = PromptCommand("data", "print the directory of the session", .none) {
    session, _ in DataDirectory(session: session)
  }

  static let background = PromptCommand("background", "move to the background", .none) {
    session, _ in SceneTransition(session: session, to: .background)
  }

  static let activate = PromptCommand("activate", "move to the foreground", .none) {
    scene, session, _, given in scene.activate(session, given)
  }

  static let close = PromptCommand("close", "end the scene; the session stays", .none) {
    scene, session, _, given in scene.close(session, given)
  }

  static let discard = PromptCommand("discard", "end the session for good", .none) {
    session, _ in RequestDestruction(sessions: [session])
  }

  static let hang = PromptCommand(
    "hang", arguments: "[CALLBACK]", "stop answering this callback, or all",
    example: "didEnterBackground",
    json: [#""callback":"didEnterBackground""#], waits: false,
    .word("callback") { (name) throws(CommandError) in try CallbackKind.named(name) }
  ) { scene, _, callback, given in scene.hang(callback, given) }

  static let crash = PromptCommand("crash", "end as after a crash", waits: false, .none) {
    scene, _, _, _ in scene.crash()
  }

  static let status = PromptCommand(
    "status", "show the state of the scene", json: [#""id":7"#], waits: false, .none
  ) { scene, session, _, given in scene.showStatus(session, given) }

  static let help = PromptCommand(
    "help", arguments: "[COMMAND]", "show this list, or help for a command", example: "title",
    json: ["", #""about":"title""#], waits: false,
    .word("about") { (name) throws(CommandError) in try named(name) }
  ) { scene, _, command, given in scene.answer(.explained(command, given.identifier)) }

  /// The connection at the start; not a typed command.
  static let connect = PromptCommand("connect", "", waits: false, .none) { _, _, _, _ in }
}
