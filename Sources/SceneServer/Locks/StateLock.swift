import SceneCommandLine
import SceneJournal
import ScenePlatform

/// The exclusive right to a state directory, until this object is released.
///
/// The directory itself is locked, because its lock cannot be removed. The file in it is locked as
/// well: older versions know only the file, and it names the holder.
final class StateLock {
  let directory: OpenDirectory
  private let file: FileDescriptor
  let lockedFile: LockedFile

  /// Makes the directory if need be, and locks it; nil for a broker without durability.
  static func take(for configuration: ServerConfiguration) throws(ProgramError) -> StateLock? {
    guard configuration.durability != .none else { return nil }
    let path = configuration.stateDirectory
    let directory: OpenDirectory
    do throws(PrivateDirectoryError) {
      directory = OpenDirectory(
        try PrivateDirectory.make(path, configuration.makingForState), path: path)
    } catch {
      var error = error
      error.holdsOurs = Journal.hasFiles(among: (try? Directory.list(path)) ?? [])
      throw ProgramError("cannot keep the state in \(path)", error, option: "--state") { $0 }
    }
    let what = "the state in \(path)"
    let isLocked = try Lock.attempt(path, "--state", waits: true) { () throws(SystemError) in
      try directory.tryLock()
    }
    guard isLocked else {
      let locker = (try? FileStatus(of: path).identity).flatMap { File.lockHolder(of: $0) }
      let holder = LockHolder(readFrom: directory.path(of: JournalMark.file))
      throw Lock.refusal(what, holder, locker: locker)
    }
    let file = try Lock.take(
      JournalMark.file, in: directory, for: what, option: "--state",
      socket: configuration.socketPath)
    do throws(SystemError) {
      return try StateLock(directory, file)
    } catch {
      throw ProgramError(ofServer: error)
    }
  }

  private init(_ directory: OpenDirectory, _ file: consuming FileDescriptor) throws(SystemError) {
    self.directory = directory
    lockedFile = try LockedFile(file, path: directory.path(of: JournalMark.file))
    self.file = file
  }

  /// Whether the lock file notes that there is a journal beside it.
  var isMarked: Bool { Lock.has(JournalMark.line, in: file) }

  func mark() { Lock.note(JournalMark.line, in: file) }
}
