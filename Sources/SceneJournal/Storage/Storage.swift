/// The journal's access to a disk: the files of one flat directory.
///
/// Writes are durable only after a sync: ``StorageFile/syncData(named:)`` for bytes and lengths,
/// ``syncDirectory()`` for names.
package protocol Storage: Sendable {
  /// The directory's path, for messages.
  var place: String { get }

  /// The free bytes; nil if unknown.
  var freeByteCount: Int? { get }

  /// The names of all files, in any order.
  func list() throws(JournalError) -> [String]

  /// Opens an existing file.
  func open(_ name: String, for access: StorageAccess) throws(JournalError) -> any StorageFile

  /// Makes a file of zeros with the given length and allocates its blocks.
  ///
  /// Replaces an existing file. After an error, no file is left.
  func create(_ name: String, reserving byteCount: Int) throws(JournalError) -> any StorageFile

  /// Renames a file. Replaces an existing file.
  func rename(_ name: String, to newName: String) throws(JournalError)

  /// Removes a file.
  func remove(_ name: String) throws(JournalError)

  /// Makes all earlier changes of names durable.
  func syncDirectory() throws(JournalError)

  /// Throws if a lock file was removed or replaced, so that another process could start on this
  /// directory.
  func checkLocks() throws(JournalError)
}

extension Storage {
  /// Does nothing, for a storage that no other process can access.
  package func checkLocks() throws(JournalError) {}
}
