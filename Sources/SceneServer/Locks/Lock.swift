import SceneCommandLine
import SceneJournal
import ScenePlatform

/// A file that one broker at a time has locked, and that names its holder.
enum Lock {
  /// Locks a file in a directory. The file stays when the lock ends, so that every broker locks the
  /// same one.
  ///
  /// `what` is the resource and `option` the flag that names it, both for messages. `socket` is
  /// where a second broker's user reaches the holder. The lock beside a socket names the `state`
  /// directory, and holds no notes.
  static func take(
    _ name: String, in directory: OpenDirectory, for what: String, option: String, socket: String,
    state: String? = nil, waits: Bool = true
  ) throws(ProgramError) -> FileDescriptor {
    let path = directory.path(of: name)
    let holder = LockHolder(
      pid: ProcessIdentity.currentPID, socket: Directory.absolute(socket), state: state)
    // A device may act when it is opened, so the kind is checked before as well.
    if let status = try? directory.status(of: name) { try check(status, path, option) }
    let file = try open(name, in: directory, option)
    try check(serverCall { () throws(SystemError) in try file.status() }, path, option)
    let isLocked = try attempt(path, option, waits: waits) { () throws(SystemError) in
      try file.tryLock()
    }
    guard isLocked else {
      throw refusal(what, LockHolder(readFrom: path))
    }
    let old = LockFileContent(of: file)
    let notes = state == nil ? old.notes : []
    replace(old, in: file, with: ContiguousArray(holder.text.utf8) + notes)
    return file
  }

  /// The result of `lock`. Some file systems have no locks. If it `waits`, it tries for one second:
  /// a process that was killed holds its locks until the kernel has ended it.
  static func attempt(
    _ path: String, _ option: String, waits: Bool, _ lock: () throws(SystemError) -> Bool
  ) throws(ProgramError) -> Bool {
    let deadline = SystemClock.monotonic() + 1_000_000_000
    do throws(SystemError) {
      while try !lock() {
        guard waits, SystemClock.monotonic() < deadline else { return false }
        // No event announces a free lock.
        SystemClock.wait(until: SystemClock.monotonic() + 10_000_000)
      }
      return true
    } catch {
      var failure = ProgramError(ofServer: error)
      failure.message =
        "cannot lock \(path): \(error.code); choose a path on another file system with \(option)"
      throw failure
    }
  }

  private static func open(
    _ name: String, in directory: OpenDirectory, _ option: String
  ) throws(ProgramError) -> FileDescriptor {
    do throws(SystemError) {
      return try directory.open(name, [.read, .write, .create, .noFollow, .nonblocking])
    } catch {
      var failure = ProgramError(ofServer: error)
      if error.isDenied { failure.message += "; choose another path with \(option)" }
      throw failure
    }
  }

  private static func check(
    _ status: FileStatus, _ path: String, _ option: String
  ) throws(ProgramError) {
    // Another name of the file is not the broker's, and the lock would overwrite its content.
    if status.kind == .regular, status.linkCount > 1 {
      throw ProgramError(
        .badConfiguration,
        "cannot lock \(path): the file has another hard link; if cp -al made it, remove that copy, "
          + "otherwise move the file away or choose another path with \(option)")
    }
    guard status.kind != .regular else { return }
    throw ProgramError(
      .badConfiguration,
      "cannot lock \(path): it is \(status.kind.name), not a regular file; move it away, or "
        + "choose another path with \(option)")
  }

  /// Adds a line that stays in the file when the lock changes hands.
  static func note(_ line: String, in file: borrowing FileDescriptor) {
    let text = LockFileContent(of: file)
    replace(text, in: file, with: text.bytes + ContiguousArray(line.utf8))
  }

  /// Whether a line was noted.
  static func has(_ line: String, in file: borrowing FileDescriptor) -> Bool {
    LockFileContent(of: file).has(ContiguousArray(line.utf8))
  }

  /// A full disk is no error, but the notes must survive it. So they are written once more at the
  /// end of the file before anything is overwritten, and truncated after the new content is
  /// complete.
  private static func replace(
    _ old: LockFileContent, in file: borrowing FileDescriptor, with new: ContiguousArray<UInt8>
  ) {
    // Two lines are complete whatever precedes them.
    let kept = ContiguousArray("\n\n".utf8) + old.notes
    do throws(SystemError) {
      try file.write(kept.span.bytes, at: Int64(max(old.bytes.count, new.count)))
      try file.write(new.span.bytes, at: 0)
      try file.truncate(to: Int64(new.count))
    } catch {
      return
    }
  }

  /// Why a held lock rejects this process. `locker` is the holder that the system reports.
  static func refusal(
    _ what: String, _ holder: LockHolder?, locker: Int32? = nil
  ) -> ProgramError {
    guard let holder else {
      let process = locker.map { " (process \($0))" } ?? ""
      return ProgramError(.noBroker, "another program\(process) already uses \(what)")
    }
    let advice =
      holder.adviceOnAbsence ?? "To list its sessions: scenectl -S \(holder.socket.shellWord)"
    return ProgramError(
      .noBroker, "another scened (process \(holder.pid)) already uses \(what)\n" + advice)
  }
}

/// The content of a lock file. The code reads single bytes, because the first use of the standard
/// library's string functions would delay the start.
private struct LockFileContent {
  let bytes: ContiguousArray<UInt8>

  init(of file: borrowing FileDescriptor) {
    bytes = (try? file.read(at: 0, count: LockHolder.textByteLimit)) ?? []
  }

  /// The lines below the two lines about the holder.
  var notes: ContiguousArray<UInt8>.SubSequence {
    let parts = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count > 2 ? parts[2] : []
  }

  /// Whether the file has this note; `line` includes its line break.
  func has(_ note: ContiguousArray<UInt8>) -> Bool {
    notes.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(note.dropLast()) }
  }
}

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

  /// The descriptors of the directory and of the file.
  var numbers: (Int32, Int32) { (directory.number, file.number) }

  /// Takes over locks that this process holds.
  init(_ directory: OpenDirectory, _ file: consuming FileDescriptor) throws(SystemError) {
    self.directory = directory
    lockedFile = try LockedFile(file, path: directory.path(of: JournalMark.file))
    self.file = file
  }

  /// Whether the lock file notes that there is a journal beside it.
  var isMarked: Bool { Lock.has(JournalMark.line, in: file) }

  func mark() { Lock.note(JournalMark.line, in: file) }
}
