import ScenePlatform

/// The line in the lock file that marks a directory with a journal.
///
/// The mark tells a directory whose logs were deleted from a new one. The first two lines of the
/// lock file belong to the holder.
package enum JournalMark {
  /// The name of the lock file.
  package static let file = LockHolder.stateFile
  /// The line with its line break.
  package static let line = "journal\n"

  /// Whether the lock file has the mark.
  static func isSet(in storage: any Storage) throws(JournalError) -> Bool {
    let lock = try storage.open(file, for: .reading)
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: 8192)
    let count = try lock.read(at: 0, count: bytes.count, into: &bytes)
    return String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .contains { $0 == line.dropLast() }
  }
}
