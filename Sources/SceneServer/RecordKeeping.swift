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

  /// What was not written out yet, the next one last.
  package struct Cursor: Sendable {
    fileprivate var sessions: [SessionIdentifier]
    fileprivate var topics: [String]
    /// The last event of the next topic that was written out; nil before it was begun.
    fileprivate var event: Int64?
  }

  package var start: Cursor {
    Cursor(
      sessions: state.sessions.keys.sorted(by: >), topics: state.topics.keys.sorted(by: >))
  }

  package func appendRecords(
    after cursor: inout Cursor, upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool {
    var writer = JSONWriter()
    while records.byteCount < byteCount, let next = cursor.sessions.popLast() {
      state.forEachRecord(of: next) { records.append($0, by: &writer) }
    }
    while records.byteCount < byteCount, let next = cursor.nextTopicRecord(in: state) {
      records.append(next, by: &writer)
    }
    return !cursor.sessions.isEmpty || !cursor.topics.isEmpty
  }
}

extension JournalledState.Cursor {
  /// A topic, then its events one by one: all of them together may be more than is written at once.
  fileprivate mutating func nextTopicRecord(in state: StoredState) -> Record? {
    guard let name = topics.last, let topic = state.topics[name] else { return nil }
    guard let last = event else {
      proceed(to: topic.attributes.after, of: topic)
      return .topic(topic.attributes)
    }
    let next = topic.event(last + 1)
    proceed(to: last + 1, of: topic)
    return next.map(Record.event)
  }

  private mutating func proceed(to number: Int64, of topic: Topic) {
    event = number
    guard number >= topic.last else { return }
    topics.removeLast()
    event = nil
  }
}

/// Records on their way to the journal, in memory that is used again.
final class ReusedRecords {
  var value = JournalRecords()
  var writer = JSONWriter()
}
