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
  /// Records that are decoded and not applied.
  associatedtype DecodedRecords: Sendable = JournalRecords

  /// The empty state.
  init()

  /// Applies the next record. The body is valid only during the call.
  mutating func apply(kind: UInt8, body: Span<UInt8>) throws(Failure)

  /// Decodes records without a state. Several threads call this at the same time. The result has
  /// the records before the first invalid one, and the reason to reject that one.
  static func decode(_ records: JournalRecords) -> DecodedRecords

  /// Applies decoded records in order. The result equals that of `apply(kind:body:)` for each.
  mutating func apply(
    _ records: consuming DecodedRecords
  ) throws(InvalidRecord<Failure>)

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

/// The first of some records that the content rejects.
package struct InvalidRecord<Failure: Error>: Error {
  /// The number of records before it.
  package let index: Int
  package let reason: Failure

  package init(index: Int, reason: Failure) {
    self.index = index
    self.reason = reason
  }
}

/// Content that decodes a record when it applies it.
extension JournalContent where DecodedRecords == JournalRecords {
  package static func decode(_ records: JournalRecords) -> JournalRecords { records }

  package mutating func apply(
    _ records: consuming JournalRecords
  ) throws(InvalidRecord<Failure>) {
    var index = 0
    do throws(Failure) {
      try records.forEach { (kind, body) throws(Failure) in
        try apply(kind: kind, body: body)
        index += 1
      }
    } catch {
      throw InvalidRecord(index: index, reason: error)
    }
  }
}
