import JSON
import SceneControl
import SceneModel

/// A callback that a client was given, or an event of a topic, as it told of it.
struct ToldCallback: Equatable, Sendable {
  /// What an event of a topic is called among them.
  static let event = "posted"

  let name: String
  /// The whole object, byte for byte.
  let json: RawJSON

  /// As one would write it in a script, with the values at these paths; without any, with those
  /// that matter most.
  func line(with paths: [ValuePath] = []) -> String {
    let document = JSONDocument()
    // What could not be read was never told.
    guard (try? document.read(json.bytes.span)) != nil else { return name }
    var words = [name]
    for path in paths.isEmpty ? usualPaths(in: document.root) : paths {
      words.append(Self.written(path, path.value(inSession: document.root)))
    }
    return words.joined(separator: " ")
  }

  /// With what a scene begins, and its hold; nil in any other callback.
  var handover: (hold: Int64, handed: StagedStory.Handed)? {
    guard name == CallbackKind.willConnect.rawValue else { return nil }
    let document = JSONDocument()
    guard (try? document.read(json.bytes.span)) != nil, let hold = document.root["hold"]?.integer,
      let session = document.root["sceneSession"],
      let activity = session["stateRestorationActivity"]?.raw
    else { return nil }
    var handed = StagedStory.Handed(activity)
    handed.withheld = document.root["withheld"]?["generation"]?.integer
    let kind = session["configuration"]?["kind"]?.string
    handed.beginsAfresh = kind == ConfigurationKind.settings.rawValue
    return (hold, handed)
  }

  /// Which topic's event it is, and where whoever has it is; nil of a callback.
  var event: (topic: String, position: EventPosition)? {
    guard name == Self.event else { return nil }
    let document = JSONDocument()
    guard (try? document.read(json.bytes.span)) != nil,
      let topic = document.root["topic"]?.string,
      let position = document.root["position"]?.string.flatMap({ EventPosition($0) })
    else { return nil }
    return (topic, position)
  }

  /// What an application delegate was asked or told, as far as the standing rules look at it.
  var hearing: DelegateHearing? {
    let document = JSONDocument()
    guard let kind = DelegateCallbackKind(rawValue: name),
      (try? document.read(json.bytes.span)) != nil,
      let callback = try? DelegateCallback(kind: kind, params: document.root)
    else { return nil }
    switch callback {
    case .configurationForConnecting(let message):
      return .question(message.sceneSession.persistentIdentifier)
    case .didDiscardSceneSessions(let message):
      return .report(
        message.report.description, message.sceneSessions.map(\.persistentIdentifier))
    case .willFinishLaunching, .didFinishLaunching, .willTerminate: return nil
    }
  }

  /// What can stand in a `trace` block: callbacks, and what the application delegate is told besides.
  static let names =
    CallbackKind.allCases.map(\.rawValue) + DelegateCallbackKind.allCases.map(\.rawValue)
    + [
      "connected", "disconnected", "exited", "didReceiveMemoryWarning", "significantTimeChange",
      event,
    ]

  private func usualPaths(in root: JSONValue) -> [ValuePath] {
    var names: [String] = []
    switch CallbackKind(rawValue: name) {
    case .willConnect: names = ["isNew", "reason"]
    case .didDisconnect: names = ["reason"]
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      break
    case nil:
      if name == Self.event { names = ["topic", "kind"] }
      if ["connected", "disconnected"].contains(name) { names = ["reason"] }
    }
    if root["answered"]?.bool == false { names.append("answered") }
    return names.compactMap { ValuePath($0) }
  }

  /// As it stands in a script, on one line and quoted where it has to be.
  private static func written(_ path: ValuePath, _ value: JSONValue?) -> String {
    guard let value else { return "\(path)=null" }
    // Within strings of JSON there are no breaks.
    let json = String(value.raw.description.map { $0.isASCII && $0.isWhitespace ? " " : $0 })
    guard let text = value.string else { return "\(path)=\(json)" }
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    let word = "\(path)=\(isPlain ? text : json)"
    let needsQuotes = word.contains { $0.isWhitespace || "'\"\\{[".contains($0) }
    return needsQuotes ? "'\(word.replacing("'", with: #"'\''"#))'" : word
  }
}
