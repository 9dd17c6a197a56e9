import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel

/// A callback that a client printed, or an event of a topic.
struct ObservedCallback: Equatable, Sendable {
  /// The name of an event in a `trace` block.
  static let event = "posted"

  let name: String
  /// The whole JSON object, unchanged.
  let json: RawJSON

  /// The line of a `trace` block for this callback, with the values at these paths. Without paths,
  /// it has the most useful values.
  func line(with paths: [ValuePath] = []) -> String {
    // The client printed valid JSON, or there would be no callback.
    guard let document = JSONDocument(reading: json.bytes) else { return name }
    var words = [name]
    for path in paths.isEmpty ? usualPaths(in: document.root) : paths {
      words.append(Self.written(path, path.value(inSession: document.root)))
    }
    return words.joined(separator: " ")
  }

  /// The hold and the restored state of a `willConnect`; nil for other callbacks.
  var restoration: (hold: Int64, restored: RunHistory.RestoredState)? {
    guard name == CallbackKind.willConnect.rawValue else { return nil }
    guard let document = JSONDocument(reading: json.bytes),
      let hold = document.root["hold"]?.integer,
      let session = document.root["sceneSession"],
      let activity = session["stateRestorationActivity"]?.raw
    else { return nil }
    var restored = RunHistory.RestoredState(activity: activity)
    restored.withheld = document.root["withheld"]?["generation"]?.integer
    let kind = session["configuration"]?["kind"]?.string
    restored.startsEmpty = kind == ConfigurationKind.settings.rawValue
    return (hold, restored)
  }

  /// The topic and the position of an event; nil for a callback.
  var event: (topic: String, position: EventPosition)? {
    guard name == Self.event else { return nil }
    guard let document = JSONDocument(reading: json.bytes),
      let topic = document.root["topic"]?.string,
      let position = document.root["position"]?.string.flatMap({ EventPosition($0) })
    else { return nil }
    return (topic, position)
  }

  /// The call to an application delegate, if the invariants check this kind; nil otherwise.
  var delegateCall: DelegateCall? {
    guard let kind = CallbackKind(rawValue: name), kind.isOfDelegate,
      let document = JSONDocument(reading: json.bytes),
      let callback = try? Callback(kind: kind, params: document.root)
    else { return nil }
    switch callback.message {
    case let message as ConfigurationForConnecting:
      return .question(message.sceneSession.persistentIdentifier)
    case let message as DidDiscardSceneSessions:
      return .report(
        message.report.description, message.sceneSessions.map(\.persistentIdentifier))
    default: return nil
    }
  }

  /// The names that a `trace` block accepts.
  static let names =
    CallbackKind.allCases.map(\.rawValue)
    + [
      "connected", "disconnected", "exited", "didReceiveMemoryWarning", "significantTimeChange",
      event,
    ]

  /// The error about an unknown name, with a suggestion or else all names.
  static func problem(withUnknown name: String, among names: [String]) -> String {
    let hint = suggestion(for: name, among: names)
    return "unknown callback \"\(PlainText.escaped(name))\""
      + (hint.isEmpty ? "; expected one of \(names.joined(separator: ", "))" : hint)
  }

  private func usualPaths(in root: JSONValue) -> [ValuePath] {
    var names: [String] = []
    switch CallbackKind(rawValue: name) {
    case .willConnect: names = ["isNew", "reason"]
    case .didDisconnect: names = ["reason"]
    case nil where name == Self.event: names = ["topic", "kind"]
    case nil where ["connected", "disconnected"].contains(name): names = ["reason"]
    default: break
    }
    if root["answered"]?.bool == false { names.append("answered") }
    return names.compactMap { ValuePath($0) }
  }

  /// A condition on one line, with quotes where a script needs them.
  private static func written(_ path: ValuePath, _ value: JSONValue?) -> String {
    guard let value else { return "\(path)=null" }
    // A JSON string contains no line break, so only white space between tokens changes.
    let json = String(value.raw.description.map { $0.isASCII && $0.isWhitespace ? " " : $0 })
    guard let text = value.string else { return "\(path)=\(json)" }
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    let word = "\(path)=\(isPlain ? text : json)"
    let needsQuotes = word.contains { $0.isWhitespace || "'\"\\{[".contains($0) }
    return needsQuotes ? "'\(word.replacing("'", with: #"'\''"#))'" : word
  }
}
