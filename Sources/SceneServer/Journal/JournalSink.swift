package import JSON
package import SceneJournal
package import SceneModel

/// Makes records durable: the thread of the journal, or a disk that a test controls.
package protocol JournalSink: AnyObject {
  /// Takes the records of an iteration. The last one has this number.
  func keep(_ records: JournalRecords, through number: UInt64)

  /// Reserves space for so many ends of holds, so that they fit on a full disk.
  func setAside(_ count: Int)

  /// Looks for space on a full disk again.
  func lookForRoom()

  var news: JournalStatus { get }
}

extension JournalThread: JournalSink {
  package func keep(_ records: JournalRecords, through number: UInt64) {
    submit(records, through: number)
  }
}

extension JournalRecords {
  /// Appends a record. The writer provides memory that is used again.
  package mutating func append(_ record: Record, by writer: inout JSONWriter) {
    writer.removeAll()
    record.writeBody(to: &writer)
    writer.output.withBytes { append(kind: record.kind.rawValue, body: $0) }
  }
}
