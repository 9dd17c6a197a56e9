import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel

/// The output of a delegate in a shell: a line of text, or a JSON object.
enum DelegateLines {
  static func text(_ callback: Callback) -> String {
    line(callback.kind.rawValue, words(callback))
  }

  private static func words(_ callback: Callback) -> [String] {
    switch callback.message {
    case let message as DidFinishLaunching: words(message.options)
    case let message as ConfigurationForConnecting:
      [message.sceneSession.label, message.sceneSession.configuration.name]
        + words(message.options)
    case let message as DidDiscardSceneSessions:
      message.sceneSessions.map(\.label) + ["report \(message.report)"]
        + (message.more ? ["more sessions follow"] : [])
    default: []
    }
  }

  private static func words(_ options: ConnectionOptions) -> [String] {
    options.urlContexts.map(\.url) + options.userActivities.map(\.type)
      + [
        options.handoffUserActivityType, options.shortcutItem.map { "shortcut \($0.type)" },
        options.notificationResponse.map { _ in "a notification" },
        options.sourceApplication.map { "from \($0)" },
      ].compactMap(\.self)
  }

  /// The text and the object for a notification; nil for what all observers are told.
  static func lines(_ notification: BrokerNotification) -> (text: String, json: RawJSON)? {
    let words: [String?]
    switch notification {
    case .memoryWarning, .significantTimeChange: words = []
    case .sceneConnected(let message): words = [message.session.short, "\(message.reason)"]
    case .sceneDisconnected(let message):
      words = [message.session.short, "\(message.reason)", message.callback]
    case .sceneExited(let message): words = ["\(message.session.short)'s process \(message.exit)"]
    case .overran(let message):
      let json = JSONWriter.object { writer in
        writer.member("overran", message.callback)
        writer.member("id", message.id)
      }
      return (
        "(\(message.callback) exceeded its budget: the broker continues without the answer)", json
      )
    default: return nil
    }
    let (method, params) = notification.message
    let name = String(method.description.drop { $0 != "/" }.dropFirst())
    let json = JSONWriter.object { writer in
      writer.member("callback", name)
      params.writeMembers(to: &writer)
    }
    return (line(name, words.compactMap(\.self)), json)
  }

  /// The width of the longest name.
  private static let column = 26

  private static func line(_ name: String, _ words: [String]) -> String {
    guard !words.isEmpty else { return "  \(name)" }
    let margin = String(repeating: " ", count: max(0, column - name.count))
    return PlainText.escaped("  \(name)\(margin)  \(words.joined(separator: ", "))")
  }

  // MARK: - For scripts

  /// A question as an object, which a command reads too. `answered` adds the answer of a rule; its
  /// inner nil means that the question is open.
  static func json(
    _ number: Int64, _ callback: Callback, answered: CallAnswer?? = nil
  ) -> RawJSON {
    JSONWriter.object { writer in
      writer.member("callback", callback.kind.rawValue)
      writer.member("id", number)
      callback.message.writeMembers(to: &writer)
      guard let answered else { return }
      guard let answer = answered else {
        writer.name("answered")
        return writer.bool(false)
      }
      switch answer {
      case .failed(let message):
        writer.member("error", message)
      case .carried(let object):
        writer.member("result", object.json)
      default: break
      }
    }
  }

  static func json(_ state: SceneApplication.ConnectionState) -> RawJSON {
    JSONWriter.object { writer in
      writer.member("state", state == .connected ? "connected" : "waiting")
    }
  }

  /// The reply to a line of the input.
  static func reply(_ verb: String, _ identifier: RawJSON?, _ problem: String? = nil) -> RawJSON {
    JSONWriter.object { writer in
      writer.member("do", verb)
      if let identifier {
        writer.member("id", identifier)
      }
      guard let problem else {
        writer.name("reply")
        return Empty().write(to: &writer)
      }
      writer.name("error")
      writer.object {
        $0.member("reason", ErrorReason.invalidParams.name)
        $0.member("message", problem)
      }
    }
  }
}

extension SceneSessionRecord {
  /// The name and the first digits of the identifier.
  fileprivate var label: String {
    let short = persistentIdentifier.short
    return name.map { "\($0) (\(short))" } ?? short
  }
}
