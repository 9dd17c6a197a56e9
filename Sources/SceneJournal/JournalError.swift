/// Why a journal cannot be opened, or cannot go on.
package enum JournalError: Error, Equatable, Sendable {
  /// The disk answered with an error; the journal has ended and is not tried again in this process.
  case storage(StorageError)
  /// There is no room for a log. At the start nothing was touched; later the batch waits.
  case noRoom(MissingRoom)
  /// Something that was promised cannot be read.
  case damaged(JournalDamage)
  /// There was a journal here, as the file of that name tells, and nothing is left of it.
  case gone(witness: String)
  /// A file with a name of ours that is none of ours; left untouched.
  case foreign(file: String)
  /// A file written by a newer version of this program; left untouched.
  case newerFormat(file: String, version: UInt32)
  /// The journal's thread cannot wait for records; what was synced before is on the disk.
  case cannotWait(reason: String)
}

/// Room for a log that is not there.
package struct MissingRoom: Error, Equatable, Sendable {
  /// The directory.
  package var place: String
  package var neededByteCount: Int
  /// Nil where nobody knows.
  package var freeByteCount: Int?
  /// The system's words: the disk is full, or only this user's share of it.
  package var reason: String

  package init(place: String, neededByteCount: Int, freeByteCount: Int?, reason: String) {
    self.place = place
    self.neededByteCount = neededByteCount
    self.freeByteCount = freeByteCount
    self.reason = reason
  }
}

/// Where and how a journal is damaged.
package struct JournalDamage: Error, Equatable, Sendable {
  /// What is wrong at that place.
  package enum Cause: Equatable, Sendable {
    /// A file that must have been there, because another is.
    case missingFile(beside: String)
    case tooShort(byteCount: Int, expected: Int)
    case header
    /// The header is that of the file with another number.
    case number(UInt64)
    /// A batch does not check though a valid one was written after it, at this offset.
    case batchBeforeValid(at: Int)
    /// A batch does not check though it lies in a part that was synced as a whole, up to this offset.
    case batchBeforeEnd(Int)
    /// A batch is not the one that comes next.
    case sequence(expected: UInt64, found: UInt64)
    /// The file does not continue the one before it.
    case doesNotContinue(file: String)
    /// The records of a batch do not fill it.
    case recordLayout
    /// The trailer of a base does not say what was read.
    case trailer
    /// What a record says cannot be.
    case content(JournalContentError)
  }

  package var file: String
  package var offset: Int
  package var cause: Cause

  package init(file: String, offset: Int, cause: Cause) {
    self.file = file
    self.offset = offset
    self.cause = cause
  }
}

/// A record that its reader cannot accept, and why.
package struct JournalContentError: Error, Equatable, Sendable {
  /// One clause without a full stop, for example "session 7 is not known".
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
