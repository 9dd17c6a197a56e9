/// What a journal adds up to.
///
/// The journal does not know what records mean. The same type recovers at the start, and on the
/// journal's own thread adds up sealed files and writes them out again as a base.
package protocol JournalContent: Sendable {
  /// How far writing out has come.
  associatedtype Cursor: Sendable

  /// Nothing yet.
  init()

  /// Takes in the next record. The body is valid during the call only.
  mutating func apply(kind: UInt8, body: Span<UInt8>) throws(JournalContentError)

  /// About how many bytes of records it would be written out as.
  var byteCount: Int { get }

  /// Where writing out begins.
  var start: Cursor { get }

  /// Appends the live records that follow `cursor`, in any order that applies, until `records`
  /// holds at least `byteCount` bytes or nothing is left. Returns whether something is left.
  ///
  /// The content does not change between the calls. Applied to a fresh value, all of them together
  /// must give an equal one.
  func appendRecords(
    after cursor: inout Cursor, upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool
}
