import SceneJSON
import SceneModel

/// The topics that the clients of a script observe.
struct RecordedTopics {
  private var observed: [String: Set<String>] = [:]

  /// Whether an observation is a step of the script. A client repeats its observations after a
  /// reconnect, so only the first one is a step.
  mutating func observe(_ entry: TraceEntry, by scriptClient: String) -> Bool {
    guard let topic = entry.topic, topic.isPlainName, entry.client?.name == "scene" else {
      return false
    }
    return observed[scriptClient, default: []].insert(topic).inserted
  }

  /// Whether the end of an observation is a step of the script.
  mutating func cease(_ topic: String, by scriptClient: String) -> Bool {
    observed[scriptClient]?.remove(topic) != nil
  }

  /// The line of a `trace` block for an event; nil if the script does not observe the topic.
  func delivery(
    _ entry: TraceEntry, to session: SessionIdentifier, _ scriptClient: String
  ) -> RecordedStep.Call? {
    guard let topic = entry.topic, observed[scriptClient]?.contains(topic) == true else {
      return nil
    }
    var call = RecordedStep.Call(
      scriptClient: scriptClient, session: session, name: ObservedCallback.event)
    call.isSettled = true
    call.conditions = ["topic=\(topic)"]
    if let kind = entry.kind, kind.isPlainName { call.conditions.append("kind=\(kind)") }
    if entry.reason == "gap" { call.conditions.append("gap=true") }
    return call
  }
}

extension TraceRecording {
  /// The arguments of `post`; nil if the event is unknown or cannot be typed.
  func typedText(_ topic: String, _ position: EventPosition) -> String? {
    guard topic.isPlainName, let event = events[topic]?[position],
      event.kind?.isPlainName ?? true
    else { return nil }
    return [topic, event.kind, event.payload.json.description].compactMap { $0 }
      .joined(separator: " ")
  }
}
