/// A damaged place of a journal.
package struct JournalDamage: Equatable, Sendable {
  /// The kind of damage.
  package enum Cause: Equatable, Sendable {
    /// A file is missing, although a file that depends on it exists.
    case missingFile(beside: String)
    case tooShort(byteCount: Int, expected: Int)
    case header
    /// The header has the number of another file.
    case number(UInt64)
    /// The checksum of a batch is wrong, although a valid batch follows at this offset.
    case batchBeforeValid(at: Int)
    /// The checksum of a batch is wrong, although the log was synced up to this offset.
    case batchBeforeEnd(Int)
    /// A batch has the wrong sequence.
    case sequence(expected: UInt64, found: UInt64)
    /// The file does not continue the previous one.
    case doesNotContinue(file: String)
    /// The records of a batch do not fill its payload.
    case recordLayout
    /// The counts in the trailer of a checkpoint are wrong.
    case trailer
    /// The content rejects a record for this reason, for example "session 7 is not known".
    case content(String)
  }

  package var file: String
  package var offset: Int
  package var cause: Cause
}
