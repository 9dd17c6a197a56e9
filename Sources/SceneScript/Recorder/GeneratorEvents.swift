import JSON
import SceneModel

/// The events of topics.
extension ScriptGenerator {
  mutating func post(_ entry: TraceEntry) {
    guard let topic = entry.topic, let position = entry.position else { return }
    let words = "post " + (recording.typedText(topic, position) ?? "com.example.unknown")
    let scriptClient = clients.all.last { $0.process == entry.client?.pid && !$0.isFinished }
    lastPost = add(RecordedStep(.line(scriptClient.map { "\($0.name): \(words)" } ?? words)))
    if recording.typedText(topic, position) == nil {
      note(
        "The event posted to \(topic) is not known or cannot be typed; a placeholder stands for it."
      )
    }
  }

  /// A client repeats its observations after a reconnect, so only the first one is a step.
  mutating func observe(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let scriptClient = clients.holder(of: session), let topic = entry.topic,
      topic.isPlainName,
      entry.client?.name == "scene", observed[scriptClient.name, default: []].insert(topic).inserted
    else { return }
    add(RecordedStep(.line("\(scriptClient.name): observe \(topic)")))
  }

  mutating func cease(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let scriptClient = clients.holder(of: session), let topic = entry.topic,
      observed[scriptClient.name]?.remove(topic) != nil
    else { return }
    add(RecordedStep(.line("\(scriptClient.name): cease \(topic)")))
  }

  /// The later one of two steps causes a delivery: the post, or the step that moved the scene.
  mutating func deliver(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let scriptClient = clients.holder(of: session), let topic = entry.topic,
      observed[scriptClient.name]?.contains(topic) == true,
      let cause = [lastPost, causes[session]].compactMap({ $0 }).max()
    else { return }
    var call = RecordedStep.Call(
      scriptClient: scriptClient.name, session: session, name: ObservedCallback.event)
    call.isSettled = true
    call.conditions = ["topic=\(topic)"]
    if let kind = entry.kind, kind.isPlainName { call.conditions.append("kind=\(kind)") }
    if entry.reason == "gap" { call.conditions.append("gap=true") }
    steps[cause].calls.append(call)
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
