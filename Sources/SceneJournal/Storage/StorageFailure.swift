/// A failed disk operation.
package struct StorageFailure: Hashable, Sendable {
  /// The operation.
  package enum Call: String, Sendable {
    case list, open, create, size, read, write, shorten
    case syncData = "sync"
    case syncDirectory = "sync the directory"
    case rename, remove
    case keepLock = "keep the lock"
  }

  /// The reason, as far as the journal distinguishes it.
  package enum Reason: Hashable, Sendable {
    /// The disk is full, or the user's quota is used up.
    case noSpace
    case notFound
    /// The user lacks the permission.
    case denied
    /// The path is no regular file.
    case notAFile
    /// Another error, with its `errno`.
    case code(Int32)
  }

  package var call: Call
  /// The file name; the directory's path for operations on the directory.
  package var file: String
  package var reason: Reason
  /// The system's message.
  package var message: String

  package init(call: Call, file: String, reason: Reason, message: String) {
    self.call = call
    self.file = file
    self.reason = reason
    self.message = message
  }
}
