package import SceneCommandLine
import SceneJSON
import SceneJournal
package import SceneModel
import ScenePlatform

/// Discards sessions while no broker runs. The next application delegate gets a report of the
/// discards, if the application ever had a delegate. Else the sessions go to the trash.
///
/// The caller holds the locks of the directory.
package enum OfflineDiscard {
  /// Discards the sessions with these names, identifiers or prefixes; nil for all sessions. With
  /// `now` the trash takes none, and can lose some. Returns the sessions that the trash has then.
  @discardableResult
  package static func run(
    _ words: [String]?, in directory: String, at time: Int64 = 0, now: Bool = false
  ) throws(ProgramError) -> [TrashedSession] {
    var found: [SessionIdentifier] = []
    let state = try edit(directory) { (state) throws(ProgramError) in
      if let words {
        for word in words {
          let session = try session(word, in: state, now: now)
          if !found.contains(session) { found.append(session) }
        }
      } else {
        found = state.sessions.keys.sorted()
      }
      let keeps = { (session: StoredSession) in
        !now && !state.hasHadDelegate && hasContent(session, in: directory)
      }
      let until = time + Trash.standardTime.nanoseconds / 1_000_000
      let kept = found.filter { state[$0].map(keeps) == true }
      return kept.map { .discard(Discard(session: $0, until: until)) }
        + ends(of: found.filter { !kept.contains($0) }, in: state)
    }
    return found.compactMap { state.trash[$0] }
  }

  /// The sessions in the trash, in the order in which they leave it.
  package static func trash(in directory: String) throws(ProgramError) -> [TrashedSession] {
    var content = OfflineState()
    _ = try Journal.read(directory, visitor: &content)
    return content.state.trash.values.inOrderOfEnd
  }

  /// Removes all sessions from the trash.
  package static func emptyTrash(in directory: String) throws(ProgramError) {
    _ = try edit(directory) { state in
      ends(of: state.trash.values.inOrderOfEnd.map(\.discard.session), in: state)
    }
  }

  /// Takes a session out of the trash. Returns its name.
  package static func undo(
    _ word: String, name: String?, in directory: String
  ) throws(ProgramError) -> StoredSession? {
    var found = SessionIdentifier.none
    let state = try edit(directory) { (state) throws(ProgramError) in
      let trashed = try trashed(word, in: state.trash.values.inOrderOfEnd)
      found = trashed.discard.session
      var attributes = trashed.session.attributes
      attributes.name = name ?? attributes.name
      if let name = attributes.name, state.names[name] != nil {
        throw ProgramError(
          .failure,
          "another session is called \(PlainText.word(name)); choose another name with --name")
      }
      return [.session(attributes)] + trashed.session.generations.map { .activity($0) }
        + [.held(trashed.session.hold)]
    }
    return state[found]
  }

  /// The newest session of the trash with this name, else the one with this identifier or prefix.
  package static func trashed(
    _ word: String, in trash: [TrashedSession]
  ) throws(ProgramError) -> TrashedSession {
    if let named = trash.last(where: { $0.session.attributes.name == word }) { return named }
    let matching = trash.filter { IdentifierPrefix(word)?.matches($0.discard.session) == true }
    guard let only = matching.first else {
      throw ProgramError(
        .noSession, "no session in the trash is called \(PlainText.word(word))")
    }
    guard matching.count == 1 else { throw ambiguous(word, matching.count) }
    return only
  }

  // MARK: - Records

  /// Writes records to the journal, and returns the state after them.
  private static func edit(
    _ directory: String, _ records: (StoredState) throws(ProgramError) -> [Record]
  ) throws(ProgramError) -> StoredState {
    do {
      var content = OfflineState()
      var writer = try JournalWriter(
        DirectoryStorage(directory), options: JournalOptions(), content: &content)
      var batch = JournalRecords()
      var state = content.state
      for record in try records(state) {
        batch.append(record)
        try state.apply(record)
      }
      try writer.commit(batch)
      // Without the marker, damage to this batch would look like an interrupted write.
      try writer.writeCommitMarker()
      return state
    } catch let error as JournalError {
      throw ProgramError(error, in: directory)
    } catch let error as ProgramError {
      throw error
    } catch {
      throw ProgramError(.inputOutput, "\(directory): \(error)")
    }
  }

  /// The records that end sessions, which can be in the trash.
  private static func ends(of sessions: [SessionIdentifier], in state: StoredState) -> [Record] {
    let reported = sessions.compactMap { session in
      guard let trashed = state.trash[session] else { return state[session] }
      return trashed.discard.report == nil ? nil : trashed.session
    }
    guard state.hasHadDelegate, !reported.isEmpty else {
      return sessions.map { .discard(Discard(session: $0)) }
    }
    let request = SessionIdentifier(random: .random(in: 0 ... .max), .random(in: 0 ... .max))
    // The default limits have the shortest frames, so the next broker can send each report.
    let reports = Discard.all(reported, request: request, limits: Limits())
    let silent = Set(sessions).subtracting(reports.map(\.session)).sorted()
    return (silent.map { Discard(session: $0) } + reports).map { .discard($0) }
  }

  private static func hasContent(_ session: StoredSession, in directory: String) -> Bool {
    !session.generations.isEmpty
      || File.exists("\(directory)/data/\(session.attributes.identifier)")
  }

  private static func session(
    _ word: String, in state: StoredState, now: Bool
  ) throws(ProgramError) -> SessionIdentifier {
    if let named = state.names[word] { return named }
    let matching = state.sessions.keys.filter { IdentifierPrefix(word)?.matches($0) == true }
    guard let only = matching.first else {
      if now, let trashed = try? trashed(word, in: state.trash.values.inOrderOfEnd) {
        return trashed.discard.session
      }
      throw ProgramError(.noSession, "no stored session is called \(PlainText.word(word))")
    }
    guard matching.count == 1 else { throw ambiguous(word, matching.count) }
    return only
  }

  private static func ambiguous(_ word: String, _ count: Int) -> ProgramError {
    ProgramError(
      .usage,
      "ambiguous session prefix \"\(PlainText.escaped(word))\" (\(count) matches); use more "
        + "characters")
  }
}

extension JournalRecords {
  mutating func append(_ record: Record) {
    var writer = JSONWriter()
    record.writeBody(to: &writer)
    append(kind: record.kind.rawValue, body: writer.bytes.span)
  }
}
