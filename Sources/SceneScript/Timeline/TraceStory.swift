package import SceneModel

/// A trace, as one broker after another told it.
package struct TraceStory: Equatable, Sendable {
  /// The entries of each broker's life, in order; none is empty.
  package private(set) var lives: [[TraceEntry]] = []
  /// Where the story begins, whatever is left out of it here.
  package let first: TraceEntry?

  /// Entries whose numbers start again are another broker's. Those that are told once more, as when
  /// a trace was recorded twice to one file, count once.
  package init(_ entries: [TraceEntry]) {
    first = entries.first
    var known: [Int64: TraceEntry] = [:]
    for entry in entries where known[entry.number] != entry {
      if let last = lives.last?.last, entry.number > last.number, entry.elapsed >= last.elapsed {
        lives[lives.count - 1].append(entry)
      } else {
        lives.append([entry])
        known = [:]
      }
      known[entry.number] = entry
    }
  }

  private init(first: TraceEntry?, lives: [[TraceEntry]]) {
    self.first = first
    self.lives = lives
  }

  /// Without the comings and goings of who only asks: what it asked for is told where it is done, and
  /// to have looked is no part of the story.
  package var withoutVisits: TraceStory {
    TraceStory(
      first: first,
      lives: lives.compactMap { life in
        // A delegate is asked, too.
        let asked = Set(life.filter { $0.event == .callback }.compactMap(\.client?.pid))
        let kept = life.filter { entry in
          guard entry.event == .joined || entry.event == .left, let client = entry.client else {
            return true
          }
          return client.name != "scenectl" || asked.contains(client.pid)
        }
        return kept.isEmpty ? nil : kept
      })
  }

  package var isEmpty: Bool { lives.isEmpty }

  /// The sessions that people mean by this: of this name, else those that `matches` accepts.
  package func sessions(
    named name: String, orMatching matches: (SessionIdentifier) -> Bool
  ) -> Set<SessionIdentifier> {
    let entries = lives.joined()
    let named = Set(entries.filter { $0.name == name }.compactMap(\.session))
    return named.isEmpty ? Set(entries.compactMap(\.session)).filter(matches) : named
  }

  /// Only what happened to these sessions, and how the processes that had them came and went.
  package func about(_ sessions: Set<SessionIdentifier>) -> TraceStory {
    TraceStory(
      first: first,
      lives: lives.compactMap { life in
        let holders = Set(
          life.filter { $0.session.map(sessions.contains) ?? false }.compactMap(\.client?.pid))
        let kept = life.filter { entry in
          if let session = entry.session { return sessions.contains(session) }
          return entry.client.map { holders.contains($0.pid) } ?? false
        }
        return kept.isEmpty ? nil : kept
      })
  }
}
