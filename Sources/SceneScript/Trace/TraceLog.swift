package import SceneModel

/// A trace of one or more consecutive brokers.
package struct TraceLog: Equatable, Sendable {
  /// The entries of each broker. No run is empty.
  package private(set) var runs: [[TraceEntry]] = []
  /// The first entry of the complete trace.
  package let first: TraceEntry?

  /// Splits entries into runs where the numbers or the times start again. Repeated entries count
  /// once, for example if a trace was appended to a file twice.
  package init(_ entries: [TraceEntry]) {
    first = entries.first
    var known: [Int64: TraceEntry] = [:]
    for entry in entries where known[entry.number] != entry {
      if let last = runs.last?.last, entry.number > last.number, entry.elapsed >= last.elapsed {
        runs[runs.count - 1].append(entry)
      } else {
        runs.append([entry])
        known = [:]
      }
      known[entry.number] = entry
    }
  }

  /// The log with the entries of each run that meet a condition.
  private func filtered(by condition: ([TraceEntry]) -> (TraceEntry) -> Bool) -> TraceLog {
    var log = self
    log.runs = runs.map { $0.filter(condition($0)) }.filter { !$0.isEmpty }
    return log
  }

  /// Removes the connections of `scenectl` without any other entry, such as `scenectl status`.
  package var withoutQueries: TraceLog {
    filtered { run in
      // A delegate and a client that posts events have other entries.
      let active = Set(run.filter { !$0.isAboutConnection }.compactMap(\.client?.pid))
      return { entry in
        guard entry.isAboutConnection, let client = entry.client else { return true }
        return client.name != "scenectl" || active.contains(client.pid)
      }
    }
  }

  package var isEmpty: Bool { runs.isEmpty }

  /// The sessions with this name, or else those whose identifiers begin with it.
  package func sessions(called word: String) -> Set<SessionIdentifier> {
    let entries = runs.joined()
    let named = Set(entries.filter { $0.name == word }.compactMap(\.session))
    guard named.isEmpty, let prefix = IdentifierPrefix(word) else { return named }
    return Set(entries.compactMap(\.session)).filter(prefix.matches)
  }

  /// The entries about these sessions, and the connections of the processes that held them.
  package func filtered(to sessions: Set<SessionIdentifier>) -> TraceLog {
    filtered { run in
      let holders = Set(
        run.filter { $0.session.map(sessions.contains) ?? false }.compactMap(\.client?.pid))
      return { entry in
        if let session = entry.session { return sessions.contains(session) }
        return entry.client.map { holders.contains($0.pid) } ?? false
      }
    }
  }
}

extension TraceEntry {
  fileprivate var isAboutConnection: Bool { event == .joined || event == .left }
}
