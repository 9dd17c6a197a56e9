import CommandLine
import JSON
import SceneJournal
import SceneModel
import ScenePlatform

extension Errand {
  /// Discards sessions while no broker runs; nil for all sessions. The application delegate that is
  /// launched next is told of it, if there ever was one.
  func discardOffline(_ words: [String]?) throws(Failure) -> ExitCode {
    let directory = try stateDirectory()
    // Held to the end, so that no broker starts meanwhile.
    let lock = try StateLock(of: directory)
    switch lock {
    case .taken: throw served(directory)
    case .ours(_, file: nil): throw Failure(.failure, "there is no journal in \(directory)")
    case .ours: break
    }
    do {
      var content = OfflineState()
      var writer = try JournalWriter(
        DirectoryStorage(directory), options: JournalOptions(), content: &content)
      let discards = try discards(words, in: content.state)
      try writer.commit(discards.records)
      // So that it cannot be taken for a write that was cut short.
      try writer.writeCommitMarker()
      return .success
    } catch let error as JournalError {
      throw Failure(error, in: directory)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.inputOutput, "\(directory): \(error)")
    }
  }

  private func served(_ directory: String) -> Failure {
    let holder = LockHolder(readFrom: "\(directory)/\(JournalMark.file)")
    let who = holder.map { "scened (process \($0.pid))" } ?? "a broker"
    return Failure(
      .tryAgain,
      "\(who) uses \(directory)\nDiscard the session without --offline, or end the broker first: "
        + adviceOnEnding(directory))
  }

  private func discards(
    _ words: [String]?, in state: StoredState
  ) throws(Failure) -> [Discard] {
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
    // As a broker without flags would part them: its frames are the shortest that it is sure to take.
    return Discard.reported(
      found.compactMap { state[$0] }, request: request, limits: Limits())
  }

  /// By its name, its identifier, or how that begins.
  private func session(
    _ word: String, in state: StoredState
  ) throws(Failure) -> SessionIdentifier {
    if let named = state.names[word] { return named }
    let matching = state.sessions.keys.filter { IdentifierPrefix(word)?.matches($0) == true }
    guard let only = matching.first else {
      throw Failure(.noSession, "no stored session is called \(PlainText.word(word))")
    }
    guard matching.count == 1 else {
      throw Failure(
        .usage,
        "ambiguous session prefix \"\(PlainText.escaped(word))\" (\(matching.count) matches); "
          + "use more characters")
    }
    return only
  }
}

extension [Discard] {
  fileprivate var records: JournalRecords {
    var records = JournalRecords()
    for discard in self { records.append(.discard(discard)) }
    return records
  }
}

/// What a journal adds up to, as a broker would have it.
private struct OfflineState: JournalContent {
  private(set) var state = StoredState()
  /// Reused from record to record. Whoever has the state has it alone.
  private nonisolated(unsafe) let document = JSONDocument()

  mutating func apply(kind: UInt8, body: Span<UInt8>) throws(JournalContentError) {
    do throws(RecordError) {
      try state.apply(try Record(kind: kind, body: body, in: document))
    } catch {
      throw JournalContentError(error.problem)
    }
  }

  var byteCount: Int { state.byteCount + state.eventByteCount }

  var start: StoredState.Cursor { StoredState.Cursor(state) }

  func appendRecords(
    after cursor: inout StoredState.Cursor, upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool {
    while records.byteCount < byteCount, !cursor.isAtEnd {
      cursor.takeNext(of: state) { records.append($0) }
    }
    return !cursor.isAtEnd
  }
}

extension JournalRecords {
  fileprivate mutating func append(_ record: Record) {
    var writer = JSONWriter()
    record.writeBody(to: &writer)
    append(kind: record.kind.rawValue, body: writer.bytes)
  }
}
