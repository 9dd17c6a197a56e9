/// A batch of a file.
package struct JournalBatch: Equatable, Sendable {
  /// The offset of the header in the file.
  package var offset: Int
  /// The length of the header and the records.
  package var byteCount: Int
  package var sequence: UInt64
  package var recordCount: Int
}
