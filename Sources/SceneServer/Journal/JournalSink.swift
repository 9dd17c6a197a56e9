package import SceneJSON
package import SceneJournal
package import SceneModel

/// Makes records durable: the thread of the journal, or a disk that a test controls.
package protocol JournalSink: AnyObject {
  /// Takes the records of an iteration. The last one has this number. Reserves space for this many
  /// batches, as `reserveBatches(_:)`. Returns the status.
  func submit(
    _ records: JournalRecords, through number: UInt64, reserving count: Int
  ) -> JournalStatus

  /// Reserves space for this many batches on a full disk: one for the end of each hold.
  func reserveBatches(_ count: Int)

  /// Requests an early check for free space on a full disk.
  func requestSpaceCheck()

  var status: JournalStatus { get }
}

extension JournalQueue: JournalSink {}

extension JournalRecords {
  /// Appends a record. The writer provides memory that is used again.
  package mutating func append(_ record: Record, by writer: inout JSONWriter) {
    writer.removeAll()
    record.writeBody(to: &writer)
    writer.output.withBytes { append(kind: record.kind.rawValue, body: $0) }
  }
}
