import JSON
import SceneModel

/// What is posted to topics, and who is sent it.
extension Retelling {
  mutating func post(_ entry: TraceEntry) {
    guard let topic = entry.topic, let position = entry.position else { return }
    let words = "post " + (recording.typed(topic, position) ?? "com.example.unknown")
    let player = cast.players.last { $0.process == entry.client?.pid && !$0.isOver }
    lastPost = add(RecordedAct(.line(player.map { "\($0.name): \(words)" } ?? words)))
    if recording.typed(topic, position) == nil {
      note("What was posted to \(topic) is not known, or cannot be typed; this stands for it.")
    }
  }

  /// A client observes again by itself what it did before.
  mutating func observe(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let player = cast.holder(of: session), let topic = entry.topic, topic.isPlainName,
      entry.client?.name == "scene", observed[player.name, default: []].insert(topic).inserted
    else { return }
    add(RecordedAct(.line("\(player.name): observe \(topic)")))
  }

  mutating func cease(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let player = cast.holder(of: session), let topic = entry.topic,
      observed[player.name]?.remove(topic) != nil
    else { return }
    add(RecordedAct(.line("\(player.name): cease \(topic)")))
  }

  /// It comes of its post, or of what has had the scene catch up since.
  mutating func deliver(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let player = cast.holder(of: session), let topic = entry.topic,
      observed[player.name]?.contains(topic) == true,
      let cause = [lastPost, causes[session]].compactMap({ $0 }).max()
    else { return }
    var call = RecordedAct.Call(player: player.name, session: session, name: ToldCallback.event)
    call.isSettled = true
    call.conditions = ["topic=\(topic)"]
    if let kind = entry.kind, kind.isPlainName { call.conditions.append("kind=\(kind)") }
    if entry.reason == "gap" { call.conditions.append("gap=true") }
    acts[cause].calls.append(call)
  }
}

extension Recording {
  /// As one types it behind `post`; nil where it is not known, or cannot be typed.
  func typed(_ topic: String, _ position: EventPosition) -> String? {
    guard topic.isPlainName, let event = events[topic]?[position],
      event.kind?.isPlainName ?? true
    else { return nil }
    return [topic, event.kind, event.payload.json.description].compactMap { $0 }
      .joined(separator: " ")
  }
}
