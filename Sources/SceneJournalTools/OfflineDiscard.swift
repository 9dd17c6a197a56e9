package import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneModel

/// Discards sessions while no broker runs. The next application delegate gets a report of the
/// discards, if the application ever had a delegate.
package enum OfflineDiscard {
  /// Discards the sessions with these names, identifiers or prefixes; nil for all sessions. The
  /// caller holds the locks of the directory.
  package static func run(_ words: [String]?, in directory: String) throws(ProgramError) {
    do {
      var content = OfflineState()
      var writer = try JournalWriter(
        DirectoryStorage(directory), options: JournalOptions(), content: &content)
      var records = JournalRecords()
      for discard in try discards(of: words, in: content.state) {
        records.append(.discard(discard))
      }
      try writer.commit(records)
      // Without the marker, damage to this batch would look like an interrupted write.
      try writer.writeCommitMarker()
    } catch let error as JournalError {
      throw ProgramError(error, in: directory)
    } catch let error as ProgramError {
      throw error
    } catch {
      throw ProgramError(.inputOutput, "\(directory): \(error)")
    }
  }

  private static func discards(
    of words: [String]?, in state: StoredState
  ) throws(ProgramError) -> [Discard] {
    var found: [SessionIdentifier] = []
    if let words {
      for word in words {
        let session = try session(word, in: state)
        if !found.contains(session) { found.append(session) }
      }
    } else {
      found = state.sessions.keys.sorted()
    }
    guard state.hasHadDelegate else { return found.map { Discard(session: $0) } }
    let request = SessionIdentifier(random: .random(in: 0 ... .max), .random(in: 0 ... .max))
    // The default limits have the shortest frames, so the next broker can send each report.
    return Discard.all(found.compactMap { state[$0] }, request: request, limits: Limits())
  }

  private static func session(
    _ word: String, in state: StoredState
  ) throws(ProgramError) -> SessionIdentifier {
    if let named = state.names[word] { return named }
    let matching = state.sessions.keys.filter { IdentifierPrefix(word)?.matches($0) == true }
    guard let only = matching.first else {
      throw ProgramError(.noSession, "no stored session is called \(PlainText.word(word))")
    }
    guard matching.count == 1 else {
      throw ProgramError(
        .usage,
        "ambiguous session prefix \"\(PlainText.escaped(word))\" (\(matching.count) matches); "
          + "use more characters")
    }
    return only
  }
}

extension JournalRecords {
  mutating func append(_ record: Record) {
    var writer = JSONWriter()
    record.writeBody(to: &writer)
    append(kind: record.kind.rawValue, body: writer.bytes.span)
  }
}
