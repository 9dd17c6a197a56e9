/// The one way the journal reaches a disk: the files of one flat directory.
///
/// Nothing is durable before it was synced: bytes and lengths by ``StorageFile/syncData()``, names
/// by ``syncDirectory()``.
package protocol Storage: Sendable {
  /// What people call it: the directory's path.
  var place: String { get }

  /// Bytes that could be written now; nil where nobody knows.
  var freeByteCount: Int? { get }

  /// The names of all files, in any order.
  func list() throws(StorageError) -> [String]

  /// Opens a file that exists, for reading and, if asked for, for writing.
  func open(_ name: String, for access: StorageAccess) throws(StorageError) -> any StorageFile

  /// Makes an empty file of the given length, all zero, for which room is set aside on the disk.
  ///
  /// A file of that name is replaced. When this fails, none is left behind.
  func create(_ name: String, reserving byteCount: Int) throws(StorageError) -> any StorageFile

  /// Gives a file another name; one that has that name already is replaced.
  func rename(_ name: String, to newName: String) throws(StorageError)

  /// Removes a file.
  func remove(_ name: String) throws(StorageError)

  /// Makes every name given and removed so far durable.
  func syncDirectory() throws(StorageError)

  /// Throws when another process could take the place of this one, because the file that it locked
  /// is no longer where the other one looks for it.
  func checkLocks() throws(StorageError)
}

extension Storage {
  /// For a storage that no other process can reach.
  package func checkLocks() throws(StorageError) {}
}

/// What a file is opened for.
package enum StorageAccess: Sendable {
  case reading
  case writing
}

/// An open file; it closes when nobody holds it any longer.
package protocol StorageFile: AnyObject, Sendable {
  /// The length of the file in bytes.
  func size() throws(StorageError) -> Int

  /// Replaces the first elements of `bytes`, which has at least `count`, with what the file holds
  /// from `offset` on. Returns how many: fewer than `count` only where the file ends.
  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(StorageError) -> Int

  /// Whether there is room on the disk for all of its length, as there is when it was just made.
  func hasItsRoom() throws(StorageError) -> Bool

  /// A place from `offset` on before which nothing was ever written, so that it reads as zeros up
  /// to there; `offset` itself where nobody knows better.
  func nextWritten(from offset: Int) throws(StorageError) -> Int

  /// Writes all of `bytes` at `offset`; the file grows if it has to.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws(StorageError)

  /// Cuts the file off there; after a power cut it may be as long as before until it was synced.
  func shorten(to byteCount: Int) throws(StorageError)

  /// Makes the bytes written so far, and the length, durable.
  func syncData() throws(StorageError)
}

/// A call to the disk that failed.
package struct StorageError: Error, Hashable, Sendable {
  /// What was being done.
  package enum Call: String, Sendable {
    case list, open, create, size, read, write, shorten
    case syncData = "sync"
    case syncDirectory = "sync the directory"
    case rename, remove
    case keepLock = "keep the lock"
  }

  /// Why it failed, as far as the journal cares.
  package enum Reason: Hashable, Sendable {
    /// The disk, or this user's share of it, is used up.
    case noSpace
    case notFound
    /// This user may not.
    case denied
    /// Something else has the name of a file, such as a directory.
    case notAFile
    /// Anything else, with the system's number for it.
    case code(Int32)
  }

  package var call: Call
  /// The file it was about; the directory's path for calls about the directory.
  package var file: String
  package var reason: Reason
  /// The system's words for the reason.
  package var message: String

  package init(call: Call, file: String, reason: Reason, message: String) {
    self.call = call
    self.file = file
    self.reason = reason
    self.message = message
  }
}
