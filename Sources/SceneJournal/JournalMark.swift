/// The line in the lock file that tells that there is a journal beside it.
///
/// A directory from which every log was deleted looks like one that never had any; with the mark it
/// does not. The first two lines of the lock file are its holder's.
package enum JournalMark {
  /// The name of the lock file.
  package static let file = "lock"
  /// The line, and its end.
  package static let line = "journal\n"

  /// Whether the lock file of a journal has it.
  static func isSet(in storage: any Storage) throws(StorageError) -> Bool {
    let lock = try storage.open(file, for: .reading)
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: 8192)
    let count = try lock.read(at: 0, count: bytes.count, into: &bytes)
    return String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .contains { $0 == line.dropLast() }
  }
}
