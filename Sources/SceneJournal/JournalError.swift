/// Why a journal cannot be opened, or cannot go on.
package enum JournalError: Error, Equatable, Sendable {
  /// The disk answered with an error; the journal has ended and is not tried again in this process.
  case storage(StorageError)
  /// There is no room for a log. At the start nothing was touched; later the batch waits.
  case noRoom(StorageError)
  /// Something that was promised cannot be read.
  case damaged(JournalDamage)
  /// A file with a name of ours that is none of ours; left untouched.
  case foreign(file: String)
  /// A file written by a newer version of this program; left untouched.
  case newerFormat(file: String, version: UInt32)
}

extension JournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .storage(let error):
      return error.description
    case .noRoom(let error):
      return "no room for the journal: \(error)"
    case .damaged(let damage):
      return damage.description
    case .foreign(let file):
      return "\(file) is not a journal file of this program, or its first bytes are destroyed;"
        + " it was left untouched"
    case .newerFormat(let file, let version):
      return "\(file) has format \(version), which is newer than this program;"
        + " it was left untouched"
    }
  }
}

/// Where and how a journal is damaged.
package struct JournalDamage: Error, Equatable, Sendable {
  /// What is wrong at that place.
  package enum Cause: Equatable, Sendable {
    case missingFile
    case tooShort(byteCount: Int, expected: Int)
    case header
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

extension JournalDamage: CustomStringConvertible {
  package var description: String {
    "\(file) is damaged at offset \(offset): \(cause)"
  }
}

extension JournalDamage.Cause: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingFile: "the file is missing"
    case .tooShort(let byteCount, let expected): "it has \(byteCount) bytes of \(expected)"
    case .header: "its header does not check"
    case .batchBeforeValid(let offset):
      "a batch does not check, and a valid one follows it at offset \(offset)"
    case .batchBeforeEnd(let end): "a batch does not check, and all up to offset \(end) was synced"
    case .sequence(let expected, let found): "batch \(found) is where \(expected) belongs"
    case .doesNotContinue(let file): "it does not continue \(file)"
    case .recordLayout: "a batch is not filled by its records"
    case .trailer: "its trailer does not say what it holds"
    case .content(let error): error.reason
    }
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
