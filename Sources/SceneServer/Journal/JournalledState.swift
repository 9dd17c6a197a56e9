import SceneJSON
package import SceneJournal
package import SceneModel

/// The state that all records of a journal add up to.
package struct JournalledState: JournalContent {
  package private(set) var state = StoredState()
  /// The sessions that records discarded.
  package private(set) var discarded: [SessionIdentifier] = []
  /// The records that are not written; nil before the first record is written.
  private var rest: StoredState.Cursor?
  /// Memory that each record uses again. The owner of the state uses it alone.
  private nonisolated(unsafe) let document = JSONDocument()

  package init() {}

  package mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(MemberError) {
    let record = try Record(kind: kind, body: body, in: document)
    if case .discard(let discard) = record { discarded.append(discard.session) }
    try state.apply(record)
  }

  package var byteCount: Int { state.byteCount + state.eventByteCount }

  package mutating func appendNextRecords(
    upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool {
    var cursor = rest ?? StoredState.Cursor(state)
    var writer = JSONWriter()
    while records.byteCount < byteCount, !cursor.isAtEnd {
      cursor.takeNext(of: state) { records.append($0, by: &writer) }
    }
    rest = cursor
    return !cursor.isAtEnd
  }
}
