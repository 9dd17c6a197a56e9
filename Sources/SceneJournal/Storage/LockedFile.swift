package import ScenePlatform

/// A lock file that the caller keeps open and locked.
///
/// The lock excludes other processes only while the path leads to this file. The open file keeps
/// its inode, so an equal identity means the same file.
package struct LockedFile: Sendable {
  /// The absolute path.
  package let path: String
  private let identity: FileIdentity

  package init(_ file: borrowing FileDescriptor, path: String) throws(SystemError) {
    self.path = Directory.absolute(path)
    identity = try file.status().identity
  }

  /// Throws if the file was removed or replaced.
  package func check() throws(JournalError) {
    let found: FileStatus
    do throws(SystemError) {
      found = try FileStatus(of: path, followLinks: false)
    } catch {
      guard error.isNotFound else { throw JournalError(.keepLock, path, error) }
      throw removed
    }
    guard found.identity == identity, found.linkCount > 0 else { throw removed }
  }

  private var removed: JournalError {
    .storage(
      StorageFailure(
        call: .keepLock, file: path, reason: .notFound, message: "the file was removed or replaced")
    )
  }
}
