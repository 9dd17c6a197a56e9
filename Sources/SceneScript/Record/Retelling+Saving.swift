import SceneModel

extension Retelling {
  /// The line that saves a generation again.
  mutating func save(_ generation: Int64, of session: SessionIdentifier, isAttached: Bool) {
    let label = cast.label(session)
    let typed = recording.typed(session, generation)
    let text = typed?.text ?? "com.example.unknown {\"generation\": \(generation)}"
    if isAttached, let holder = cast.holder(of: session) {
      add(RecordedAct(.line("\(holder.name): activity \(text)")))
    } else {
      add(RecordedAct(.line("save \(label) \(text == "null" ? "--clear" : text)")))
    }
    note(typed?.note)
    if typed == nil { note(.unknownGeneration(session: label, generation)) }
  }
}
