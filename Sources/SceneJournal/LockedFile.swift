package import ScenePlatform

/// A lock file that the caller keeps open and locked.
///
/// The lock excludes other processes only as long as the path leads to that file. The open file
/// keeps its inode in use, so the same identity under the path means the same file.
package struct LockedFile: Sendable {
  /// From the root on.
  package let path: String
  private let identity: FileIdentity

  package init(_ file: borrowing FileDescriptor, path: String) throws(SystemError) {
    self.path = Directory.absolute(path)
    identity = try file.status().identity
  }

  /// Throws when the file was removed or replaced.
  package func check() throws(StorageError) {
    let found: FileStatus
    do throws(SystemError) {
      found = try FileStatus(of: path, followLinks: false)
    } catch {
      guard error.isNotFound else { throw StorageError(.keepLock, path, error) }
      throw removed
    }
    guard found.identity == identity, found.linkCount > 0 else { throw removed }
  }

  private var removed: StorageError {
    StorageError(
      call: .keepLock, file: path, reason: .notFound, message: "the file was removed or replaced")
  }
}
