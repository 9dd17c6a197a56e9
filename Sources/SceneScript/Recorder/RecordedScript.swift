import SceneCommandLine
import SceneModel

/// The text of a recorded script, in sections.
struct RecordedScript {
  private var sections: [Section] = []

  private struct Section {
    var heading: String
    var notes: [RecordedNote] = []
    var lines: [String] = []

    var text: String {
      ([heading] + RecordedNote.sentences(of: notes)).map { "# \(PlainText.escaped($0))\n" }
        .joined() + lines.map { $0 + "\n" }.joined()
    }
  }

  mutating func begin(_ heading: String) { sections.append(Section(heading: heading)) }

  /// Adds a note to the current section, once.
  mutating func note(_ note: RecordedNote) {
    guard !sections[sections.count - 1].notes.contains(note) else { return }
    sections[sections.count - 1].notes.append(note)
  }

  mutating func add(_ step: RecordedStep) {
    if let title = step.title { begin(title) }
    for item in step.notes { note(item) }
    sections[sections.count - 1].lines += step.preparations + [step.line] + step.traces
  }

  /// Expects the final state of each session that has reached its target.
  mutating func expect(
    _ sessions: [SessionSummary], of clients: RecordedClients, _ recording: TraceRecording
  ) {
    let lines = sessions.compactMap { session -> String? in
      guard session.state == session.target, clients.knows(session.session) else { return nil }
      let activity = recording.condition(session.session, session.generation)
      return ["expect", clients.label(session.session), session.state.rawValue, activity]
        .compactMap { $0 }.joined(separator: " ")
    }
    guard !lines.isEmpty else { return }
    begin("The sessions end in these states.")
    sections[sections.count - 1].lines = lines.sorted()
  }

  var text: String { sections.map(\.text).joined(separator: "\n") }
}

extension String {
  /// Whether a script accepts this word as a name in any position.
  package var isPlainName: Bool {
    guard let first, first.isLetter || first.isNumber, utf8.count <= 64 else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
      && self != "application" && self != "process"
  }

  /// The rule of ``isPlainName``, for error messages.
  package static let plainNameRule =
    "use 1 to 64 letters, digits, dots, dashes or underscores, with a letter or digit first, "
    + "but not application or process"
}
