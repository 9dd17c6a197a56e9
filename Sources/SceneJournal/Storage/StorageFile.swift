/// An open file, which the last reference closes.
package protocol StorageFile: AnyObject, Sendable {
  /// The length of the file in bytes.
  func size() throws(JournalError) -> Int

  /// Reads `count` bytes from `offset` on into the start of `bytes`. Requires `bytes.count` ≥
  /// `count`. Returns the number of read bytes; fewer than `count` only at the end of the file.
  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(JournalError) -> Int

  /// Whether the disk blocks of the whole length are allocated.
  func hasItsRoom() throws(JournalError) -> Bool

  /// The first offset ≥ `offset` that may contain written bytes; `offset` if unknown. All bytes
  /// before it read as zeros.
  func nextWritten(from offset: Int) throws(JournalError) -> Int

  /// Writes all of `bytes` at `offset`. The file grows if needed.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws(JournalError)

  /// Truncates the file. Without a sync, a power loss may restore the old length.
  func shorten(to byteCount: Int) throws(JournalError)

  /// Syncs the bytes and the length. Throws `notFound` unless `currentName` leads to this
  /// file, and the file still has the length that it had when it was opened.
  func syncData(named currentName: String) throws(JournalError)
}
