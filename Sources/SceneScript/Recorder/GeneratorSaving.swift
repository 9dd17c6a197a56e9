import SceneModel

extension ScriptGenerator {
  /// Adds the line that saves a generation.
  mutating func save(_ generation: Int64, of session: SessionIdentifier, isAttached: Bool) {
    let label = clients.label(session)
    let typedText = recording.typedText(session, generation)
    let text = typedText?.text ?? "com.example.unknown {\"generation\": \(generation)}"
    if isAttached, let holder = clients.holder(of: session) {
      add(RecordedStep(.line("\(holder.name): activity \(text)")))
    } else {
      add(RecordedStep(.line("save \(label) \(text == "null" ? "--clear" : text)")))
    }
    note(typedText?.note)
    if typedText == nil { note(.unknownGeneration(session: label, generation)) }
  }
}
