package import SceneCommandLine
import SceneJournal
package import ScenePlatform

/// The locks that a broker holds on its state directory while it runs: one on the directory and one
/// on a file in it. Older versions lock only the file.
package enum OfflineStateLock: ~Copyable {
  /// A broker holds one of the locks.
  case taken
  /// This process holds the locks until it releases this value. The file is nil if the directory
  /// never had a broker.
  case ours(OpenDirectory?, file: FileDescriptor?)

  /// Tries to take the locks of a state directory.
  package init(of path: String) throws(ProgramError) {
    do throws(SystemError) {
      let directory = OpenDirectory(try File.open(path, [.read, .directory]), path: path)
      guard try directory.tryLock() else {
        self = .taken
        return
      }
      // The reader of the journal reports a file of another kind.
      guard try directory.status(of: JournalMark.file).kind == .regular else {
        self = .ours(directory, file: nil)
        return
      }
      let file = try directory.open(JournalMark.file, [.read, .nonblocking])
      self = try file.tryLock() ? .ours(directory, file: file) : .taken
    } catch {
      guard error.isNotFound || error.isDenied else { throw ProgramError(error) }
      self = .ours(nil, file: nil)
    }
  }

  /// The lock file of a state directory. The file names the broker that wrote it last.
  package static func file(of directory: String) -> String { "\(directory)/\(JournalMark.file)" }
}
