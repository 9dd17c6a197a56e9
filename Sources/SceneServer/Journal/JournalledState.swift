import SceneJSON
package import SceneJournal
package import SceneModel

/// The state that all records of a journal add up to.
package struct JournalledState: JournalContent {
  package private(set) var state = StoredState()
  /// The sessions that records discarded.
  package private(set) var discarded: [SessionIdentifier] = []
  /// Memory that each record uses again. The owner of the state uses it alone. A broker wrote the
  /// records, and their checksums are valid.
  private nonisolated(unsafe) let document = JSONDocument(hasUniqueNames: true)

  package init() {}

  package mutating func apply(kind: UInt8, body: Span<UInt8>) throws(MemberError) {
    let record = try Record(trusting: kind, body: body, in: document)
    if case .discard(let discard) = record { discarded.append(discard.session) }
    try state.apply(record)
  }

  package static func decode(_ records: JournalRecords) -> DecodedSessions {
    DecodedSessions(records)
  }

  package mutating func apply(
    _ records: consuming DecodedSessions
  ) throws(InvalidRecord<MemberError>) {
    while let (record, index) = records.removeFirst() {
      if case .record(.discard(let discard)) = record { discarded.append(discard.session) }
      do throws(MemberError) {
        try state.apply(record)
      } catch {
        throw InvalidRecord(index: index, reason: error)
      }
    }
    if let invalid = records.invalid { throw invalid }
  }

  package var byteCount: Int { state.byteCount + state.eventByteCount }

  package var start: StoredState.Cursor { StoredState.Cursor(state) }

  package func appendRecords(
    after cursor: inout StoredState.Cursor, upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool {
    var writer = JSONWriter()
    while records.byteCount < byteCount, !cursor.isAtEnd {
      cursor.takeNext(of: state) { records.append($0, by: &writer) }
    }
    return !cursor.isAtEnd
  }
}
