package import JSON
import SceneBroker
package import SceneJournal
package import SceneModel

/// Where records go to become durable: the journal's thread, or a disk that a test steps.
package protocol RecordKeeper: AnyObject {
  /// Takes the records of a round; `number` is that of the last one.
  func keep(_ records: JournalRecords, through number: UInt64)

  /// How many ends of holds must find room on a full disk.
  func setAside(_ count: Int)

  /// Looks for room on a full disk, because somebody wants it.
  func lookForRoom()

  var news: JournalNews { get }
}

extension JournalThread: RecordKeeper {
  package func keep(_ records: JournalRecords, through number: UInt64) {
    submit(records, through: number)
  }
}

extension JournalRecords {
  /// Adds a record. The writer is only memory that is used again.
  package mutating func append(_ record: Record, by writer: inout JSONWriter) {
    writer.removeAll()
    record.writeBody(to: &writer)
    writer.output.withBytes { append(kind: record.kind.rawValue, body: $0) }
  }
}

/// What a broker's journal adds up to: the state that its records make.
package struct JournalledState: JournalContent {
  package private(set) var state = StoredState()
  /// The sessions of whose end it says.
  package private(set) var discarded: [SessionIdentifier] = []
  /// Reused from record to record. Whoever has the state has it alone.
  private nonisolated(unsafe) let document = JSONDocument()

  package init() {}

  package mutating func apply(kind: UInt8, body: Span<UInt8>) throws(JournalContentError) {
    do throws(RecordError) {
      let record = try Record(kind: kind, body: body, in: document)
      try state.apply(record)
      if case .discard(let discard) = record { discarded.append(discard.session) }
    } catch {
      throw JournalContentError(error.problem)
    }
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

/// Records on their way to the journal, in memory that is used again.
final class ReusedRecords {
  var value = JournalRecords()
  var writer = JSONWriter()
}
