import SceneClient
import SceneJSON
import SceneModel

/// Lines for a terminal.
struct TextLines: OutputFormatter {
  var advice = Suggestion()

  func lines(for event: SceneEvent) -> [String] {
    switch event {
    case .callback(let callback, let answer, let isClassic):
      headline(callback)
        + [
          line(
            isClassic ? callback.kind.classicName : callback.kind.rawValue,
            details(of: callback, answer),
            answer)
        ]
    case .replied(let command, _, let reply): lines(for: reply, to: command)
    case .hanging(let callback?, _): ["scene no longer answers \(callback.rawValue)"]
    case .hanging(nil, _): ["scene no longer answers callbacks"]
    case .explained(let command, _): PromptCommand.help(about: command)
    case .failed(let command, _, let error):
      ["error: \(typed(error).printable)" + advice(error, command)]
    case .postponed(let command):
      ["\(command.name) waits for the next broker (Ctrl-C ends scene at once)"]
    case .unanswered(let reason): [silence(reason) + " (Ctrl-C ends scene)"]
    case .waiting: ["the broker is gone; waiting for the next broker (Ctrl-C ends scene)"]
    case .connected: ["the broker is back"]
    case .posted(let event): [line("posted", text(of: event), .done)]
    case .gap(let topic):
      ["events of \(topic.printable) are missing: the broker no longer stores them"]
    case .noticed(let notice, let isClassic):
      ["  " + (isClassic ? notice.classicName : notice.rawValue)]
    case .resumed: ["the scene has resumed"]
    case .idle(_, .shutdown, _):
      ["the application has ended; waiting for its next start (Ctrl-C ends scene)"]
    case .idle(let session, .discarded, let isUnknown):
      [
        (isUnknown ? Self.unknown : "the session (\(session.short)) was discarded")
          + "; waiting for another session (Ctrl-C ends scene)"
      ]
    case .idle: ["waiting to be activated (Ctrl-C ends scene)"]
    case .exchanged(let message): [exchange(message)]
    case .ended(let ending): lines(for: ending)
    }
  }

  /// The message with the words of the prompt for the members of the message to the broker.
  private func typed(_ error: SceneError) -> String {
    error.message.replacing("activationConditions.prefersToActivate", with: "conditions prefers")
      .replacing("activationConditions.canActivate", with: "conditions can")
  }

  // MARK: - Callbacks

  private static let column = 21

  private func line(_ name: String, _ details: String, _ answer: CallAnswer?) -> String {
    let unanswered = answer == nil ? "not answered" : ""
    let rest = [details, unanswered].filter { !$0.isEmpty }.joined(separator: ", ")
    guard !rest.isEmpty else { return "  " + name }
    let gap = max(1, Self.column - name.count)
    return "  " + name + String(repeating: " ", count: gap) + rest
  }

  private func details(of callback: Callback, _ answer: CallAnswer?) -> String {
    switch callback.message {
    case let message as WillConnect: return details(of: message)
    case let message as DidDisconnect: return message.reason.rawValue
    case let message as WillContinueUserActivity: return message.activityType.printable
    case let message as UserActivityMessage: return text(of: message.userActivity)
    case let message as OpenURLContexts:
      return message.urlContexts.map { text(of: $0) }.joined(separator: ", ")
    case let message as PerformActionForShortcutItem: return text(of: message.shortcutItem)
    case let message as DidReceiveNotificationResponse:
      return text(of: message.notificationResponse)
    default:
      guard case .activity(.value(let activity)) = answer else { return "" }
      return text(of: activity)
    }
  }

  /// The headline with the session, only for a scene that this program requested.
  private func headline(_ callback: Callback) -> [String] {
    guard let message = callback.message as? WillConnect else { return [] }
    let short = message.session.short
    let name = message.sceneSession.name?.printable ?? "a session"
    switch message.reason {
    case .launch where message.sceneSession.name == nil: return ["a new session (\(short))"]
    case .launch where message.isNew: return ["\(name) is new (\(short))"]
    case .launch: return ["\(name) is connected for the first time (\(short))"]
    case .restore: return ["\(name) restored (\(short))"]
    case .recover: return ["\(name) recovered (\(short))"]
    default: return []
    }
  }

  /// The full description of a scene that the broker assigned.
  private func exchange(_ message: WillConnect) -> String {
    let session = message.sceneSession
    let title = session.title.map { ", \"\($0.printable)\"" } ?? ""
    return "another session: \(session.name?.printable ?? "unnamed") "
      + "(\(message.session)), \(session.configuration.name.printable), "
      + "\(session.role.rawValue.printable)\(title)"
  }

  private func details(of message: WillConnect) -> String {
    var details = message.isNew ? ["new"] : []
    details.append(message.reason.rawValue.printable)
    if let activity = message.sceneSession.stateRestorationActivity {
      details.append(text(of: activity))
    }
    if let withheld = message.withheld {
      details.append(
        "generation \(withheld.generation) withheld: \(withheld.reason.rawValue.printable)")
    }
    for activity in message.options.userActivities {
      details.append("to continue " + text(of: activity))
    }
    let options = message.options
    details += options.urlContexts.map { "to open " + text(of: $0) }
    if let type = options.handoffUserActivityType {
      details.append("\(type.printable) follows")
    }
    if let item = options.shortcutItem { details.append("shortcut " + text(of: item)) }
    if let response = options.notificationResponse {
      details.append("notification " + text(of: response))
    }
    if options.urlContexts.isEmpty, let source = options.sourceApplication {
      details.append("from \(source.printable)")
    }
    if let missing = message.missingConfiguration {
      details.append("there is no configuration \(missing.printable)")
    }
    return details.joined(separator: ", ")
  }

  /// The type, the title, the page, and the bytes of the userInfo.
  private func text(of activity: Activity) -> String {
    let whole = UserActivity(activity)
    let title = whole.title.map { "\"\($0)\"" }
    let userInfo = "\((whole.userInfo ?? [:]).json)"
    let page = whole.webpageURL.map { "\($0)" }
    return [whole.activityType, title, page, page == nil || userInfo != "{}" ? userInfo : nil]
      .compactMap(\.self).joined(separator: " ").printable
  }

  /// The URL and its options.
  private func text(of context: SceneModel.OpenURLContext) -> String {
    let options = context.options
    var text = context.url
    if options.openInPlace { text += " in place" }
    if let source = options.sourceApplication { text += " from \(source)" }
    if let annotation = options.annotation { text += " with \(annotation)" }
    return text.printable
  }

  /// The type, and the bytes of the other members.
  private func text(of item: SceneModel.ShortcutItem) -> String {
    let title = item.localizedTitle.map { " \"\($0)\"" } ?? ""
    return "\(item.type)\(title)\(item.userInfo.map { " \($0.json)" } ?? "")".printable
  }

  private func text(of response: SceneModel.NotificationResponse) -> String {
    let parts = [response.actionIdentifier ?? "opened", response.userInfo?.json.description]
    return parts.compactMap { $0 }.joined(separator: " ").printable
  }

  /// The topic, the kind, and the bytes of the payload.
  private func text(of event: EventPosted) -> String {
    [event.topic, event.kind, event.payload.json.description].compactMap { $0 }
      .joined(separator: " ").printable
  }

  // MARK: - Replies

  private func lines(for reply: BrokerReply, to command: PromptCommand) -> [String] {
    switch (command, reply.content) {
    case (.activity, let saved as SaveActivity.Reply): ["saved, generation \(saved.generation)"]
    case (.status, let details as SessionDetails): [status(details)]
    case (.data, let reply as DataDirectory.Reply): [reply.path.printable]
    case (.background, let moved as SceneTransition.Reply): [moving(to: .background, moved.state)]
    case (.activate, let moved as SceneTransition.Reply):
      [moving(to: .foregroundActive, moved.state)]
    default: []
    }
  }

  /// The broker replies before the scene has moved.
  private func moving(to target: ActivationState, _ state: ActivationState) -> String {
    switch (target, state) {
    case (target, target): "the scene is in the \(target.place)"
    case (.background, _): "the scene goes to the background"
    default: "the scene comes to the foreground"
    }
  }

  private func status(_ details: SessionDetails) -> String {
    let summary = details.summary
    let name = summary.name.map { $0.printable + " " } ?? ""
    let target = summary.target == summary.state ? "" : ", on its way to \(summary.target)"
    let title = summary.title.map { ", \"\($0.printable)\"" } ?? ""
    let activity = details.sceneSession.stateRestorationActivity.map { ", " + text(of: $0) } ?? ""
    return "\(name)(\(summary.session.short)): \(summary.state)\(target)\(title), "
      + "generation \(summary.generation)\(activity)"
  }

  /// Why the broker has not admitted this client yet.
  private func silence(_ reason: String?) -> String {
    if let reason { return "\(reason.printable); trying again" }
    guard let broker = advice.stoppedBroker else {
      return "the broker accepts connections but does not answer; waiting for its answer"
    }
    return "the broker does not answer: process \(broker) is stopped; continue it with: "
      + "kill -CONT \(broker)"
  }

  private func advice(_ error: SceneError, _ command: PromptCommand?) -> String {
    switch error.code {
    case .tooLarge where command == .activity: "; the last saved activity stays"
    case .sessionInUse: "; press Ctrl-C, then run: \(advice.again(nil))"
    default: ""
    }
  }

  private static let unknown =
    "the broker does not know this session: the session was discarded, or the broker has another "
    + "state directory"

  private func lines(for ending: SceneTermination) -> [String] {
    let discarded = "the session was discarded"
    switch ending.reason {
    case .discarded where ending.isUnknown:
      return [Self.unknown]
    case .discarded: return [discarded]
    case .watchdog:
      let callback = ending.callback?.rawValue ?? "a callback"
      let line = "disconnected: \(callback) was not answered in time"
      return ending.isDiscarded ? [line, discarded] : [line]
    case .replaced: return ["disconnected: another client has taken the session"]
    case .clientRequest: return []
    default: return ["disconnected: \(ending.reason.rawValue.printable)"]
    }
  }
}

extension ActivationState {
  fileprivate var place: String { self > .background ? "foreground" : "background" }
}
