/// The state that the records of a journal add up to.
///
/// The journal does not interpret records. A start recovers the state with this visitor. On the
/// journal's thread, a visitor compacts sealed files into a checkpoint.
package protocol JournalContent: JournalVisitor, Sendable {
  /// The empty state.
  init()

  /// The approximate length of the state as records, in bytes.
  var byteCount: Int { get }

  /// Appends the next live records until `records` has at least `byteCount` bytes. Their order must
  /// be valid for a visitor. Returns whether records are left.
  ///
  /// The content does not change between the calls. All records that an empty value visits must
  /// produce an equal state.
  mutating func appendNextRecords(upTo byteCount: Int, to records: inout JournalRecords) -> Bool
}
