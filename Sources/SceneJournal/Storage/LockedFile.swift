package import ScenePlatform
import Synchronization

/// A lock file that the caller keeps open and locked.
///
/// The lock excludes other processes only while the path leads to this file. The open file keeps
/// its inode, so an equal identity means the same file.
package final class LockedFile: Sendable {
  /// The absolute path.
  package let path: String
  private let identity: Mutex<FileIdentity>
  private let mayBeMissing: Bool

  /// `mayBeMissing` states that the owner locks a new file after a removal. Another broker that
  /// locks the path meanwhile replaces the file.
  package init(
    _ file: borrowing FileDescriptor, path: String, mayBeMissing: Bool = false
  ) throws(SystemError) {
    self.path = Directory.absolute(path)
    self.mayBeMissing = mayBeMissing
    identity = Mutex(try file.status().identity)
  }

  /// The owner has locked another file at the path.
  package func replace(by file: borrowing FileDescriptor) throws(SystemError) {
    let new = try file.status().identity
    identity.withLock { $0 = new }
  }

  /// Whether the path leads to this file.
  package var isInPlace: Bool {
    guard let found = try? FileStatus(of: path, followLinks: false) else { return false }
    return leads(to: found)
  }

  /// Throws if the file was removed or replaced.
  package func check() throws(JournalError) {
    let found: FileStatus
    do throws(SystemError) {
      found = try FileStatus(of: path, followLinks: false)
    } catch {
      guard error.isNotFound else { throw JournalError(.keepLock, path, error) }
      if mayBeMissing { return }
      throw removed
    }
    guard leads(to: found) else { throw removed }
  }

  private func leads(to found: FileStatus) -> Bool {
    identity.withLock { $0 == found.identity } && found.linkCount > 0
  }

  private var removed: JournalError {
    .storage(
      StorageFailure(
        call: .keepLock, file: path, reason: .notFound, message: "the file was removed or replaced")
    )
  }
}
