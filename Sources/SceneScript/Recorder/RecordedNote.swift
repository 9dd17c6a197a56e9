/// A difference between a recorded script and what happened, for the heading of a section.
enum RecordedNote: Equatable {
  case sentence(String)
  /// The recording has no activity for this generation of the session with this label.
  case unknownGeneration(session: String, Int64)
  /// A process connected and left without a scene.
  case withoutScene(client: String, process: Int64)

  /// One sentence for each kind of note that names a generation or a process, however many there
  /// are.
  static func sentences(of notes: [RecordedNote]) -> [String] {
    var sentences: [String] = []
    var kinds: Set<Kind> = []
    for note in notes {
      guard let kind = note.kind else {
        sentences.append(note.sentence)
        continue
      }
      guard kinds.insert(kind).inserted else { continue }
      let alike = notes.filter { $0.kind == kind }
      sentences.append(alike.count == 1 ? note.sentence : note.sentence(standingFor: alike))
    }
    return sentences
  }

  private enum Kind { case unknownGeneration, withoutScene }

  private var kind: Kind? {
    switch self {
    case .sentence: nil
    case .unknownGeneration: .unknownGeneration
    case .withoutScene: .withoutScene
    }
  }

  private var sentence: String {
    switch self {
    case .sentence(let text): text
    case .unknownGeneration(let session, let generation):
      "The activity of generation \(generation) of \(session) is not known; a placeholder stands "
        + "for it."
    case .withoutScene(let client, let process):
      "\(client) \(process) connected and left without a scene; its requests are not known."
    }
  }

  private func sentence(standingFor alike: [RecordedNote]) -> String {
    switch self {
    case .sentence(let text): return text
    case .unknownGeneration(let session, _):
      let others = alike.contains { $0.session != session }
      let sessions = Set(alike.compactMap(\.session)).count
      let savers = others ? "\(sessions) sessions" : session
      return "\(alike.count) activities that \(savers) saved are not known; placeholders stand for "
        + "them."
    case .withoutScene:
      return "\(alike.count) processes connected and left without a scene; their requests are not "
        + "known."
    }
  }

  private var session: String? {
    if case .unknownGeneration(let session, _) = self { session } else { nil }
  }
}
