import CommandLine
import SceneModel

/// The text of a recorded script, section by section.
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

  /// What a script cannot do is said once in each section.
  mutating func note(_ note: RecordedNote) {
    guard !sections[sections.count - 1].notes.contains(note) else { return }
    sections[sections.count - 1].notes.append(note)
  }

  mutating func add(_ act: RecordedAct) {
    if let title = act.title { begin(title) }
    for item in act.notes { note(item) }
    sections[sections.count - 1].lines += act.preparations + [act.line] + act.traces
  }

  /// How it is in the end, as far as everything has come to rest.
  mutating func expect(
    _ sessions: [SessionSummary], of cast: RecordedCast, _ recording: Recording
  ) {
    let lines = sessions.compactMap { session -> String? in
      guard session.state == session.target, cast.knows(session.session) else { return nil }
      let activity = recording.condition(session.session, session.generation)
      return ["expect", cast.label(session.session), session.state.rawValue, activity]
        .compactMap { $0 }.joined(separator: " ")
    }
    guard !lines.isEmpty else { return }
    begin("In the end it is like this.")
    sections[sections.count - 1].lines = lines.sorted()
  }

  var text: String { sections.map(\.text).joined(separator: "\n") }
}

extension String {
  /// Whether it is one word of a script wherever it stands, and means nothing else there.
  package var isPlainName: Bool {
    guard let first, first.isLetter || first.isNumber, utf8.count <= 64 else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
      && self != "application" && self != "process"
  }

  /// What to say where it is not.
  package static let plainNameRule =
    "lines begin with such a name, and a file is called so: it has at most 64 letters, digits, dots, "
    + "dashes and underscores, begins with a letter or a digit, and is neither application nor process"
}
