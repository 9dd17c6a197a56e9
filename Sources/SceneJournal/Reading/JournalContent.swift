/// The state that the records of a journal add up to.
///
/// The journal does not interpret records. This type recovers the state at the start. On the
/// journal's thread it compacts sealed files into a checkpoint.
package protocol JournalContent: Sendable {
  /// The progress of writing the state.
  associatedtype Cursor: Sendable
  /// The reason to reject a record. Its description is a clause without a period, for example
  /// "session 7 is not known".
  associatedtype Failure: Error

  /// The empty state.
  init()

  /// Applies the next record. The body is valid only during the call.
  mutating func apply(kind: UInt8, body: Span<UInt8>) throws(Failure)

  /// The approximate length of the state as records, in bytes.
  var byteCount: Int { get }

  /// The start of writing the state.
  var start: Cursor { get }

  /// Appends live records from `cursor` on until `records` has at least `byteCount` bytes. Their
  /// order must be valid for `apply`. Returns whether records are left.
  ///
  /// The content does not change between the calls. All records applied to an empty value must
  /// produce an equal value.
  func appendRecords(
    after cursor: inout Cursor, upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool
}
