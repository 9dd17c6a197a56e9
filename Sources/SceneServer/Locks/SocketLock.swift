import SceneCommandLine
import SceneJournal
import ScenePlatform

/// The lock beside the place of a socket. Its holder may listen there, and removes a stale socket.
///
/// Its directory may hold several sockets, so only the file is locked.
struct SocketLock: ~Copyable {
  let path: String
  private let state: String
  private var file: FileDescriptor
  let lockedFile: LockedFile

  /// Checks the path and its directory, and takes the lock.
  ///
  /// `state` is the state directory of the broker, or empty without one. A program that knows the
  /// socket finds the directory by it.
  init(
    besideSocket path: String, state: String, making: PrivateDirectory.Making
  ) throws(ProgramError) {
    if let complaint = UnixSocket.complaint(aboutPath: path) {
      throw ProgramError(.badConfiguration, complaint)
    }
    let file = try Self.lock(path, state: state, making, waits: true)
    do throws(SystemError) {
      try self.init(path, state: state, file)
    } catch {
      throw ProgramError(ofServer: error)
    }
  }

  var number: Int32 { file.number }

  /// Takes over a lock that this process holds.
  init(
    _ path: String, state: String, _ file: consuming FileDescriptor
  ) throws(SystemError) {
    self.path = path
    self.state = state
    lockedFile = try LockedFile(
      file, path: LockHolder.file(besideSocket: path), mayBeMissing: true)
    self.file = file
  }

  /// Locks a new file if this one was removed.
  mutating func takeAgain() throws(ProgramError) {
    if lockedFile.isInPlace { return }
    let new = try Self.lock(path, state: state, .last, waits: false)
    try serverCall { () throws(SystemError) in try lockedFile.replace(by: new) }
    file = new
  }

  private static func lock(
    _ path: String, state: String, _ making: PrivateDirectory.Making, waits: Bool
  ) throws(ProgramError) -> FileDescriptor {
    let directory = try Self.directory(of: path, making)
    try Self.checkPlace(path)
    let lockPath = LockHolder.file(besideSocket: path)
    let name = Directory.lastPart(of: lockPath)
    return try Lock.take(
      name, in: directory, for: "the socket \(path)", option: "-S", socket: path, state: state,
      waits: waits)
  }

  private static func directory(
    of path: String, _ making: PrivateDirectory.Making
  ) throws(ProgramError) -> OpenDirectory {
    guard !path.hasSuffix("/") else {
      throw ProgramError(
        .badConfiguration, "the path of the socket ends with a slash: \(path); name a file with -S")
    }
    // A name without a directory is in the current directory.
    guard let directory = path.contains("/") ? Directory.parent(of: path) : "." else {
      throw ProgramError(.badConfiguration, "the path of the socket names no directory: \(path)")
    }
    do throws(PrivateDirectoryError) {
      return OpenDirectory(try PrivateDirectory.make(directory, making), path: directory)
    } catch {
      let name = Directory.lastPart(of: path)
      throw ProgramError("cannot listen on \(path)", error, option: "-S") { "\($0)/\(name)" }
    }
  }

  /// A socket is made at a free path, or in place of a stale socket.
  private static func checkPlace(_ path: String) throws(ProgramError) {
    guard let kind = try? FileStatus(of: path, followLinks: false).kind, kind != .socket else {
      return
    }
    throw ProgramError(
      .badConfiguration,
      "cannot listen on \(path): found \(kind.name), not a socket; "
        + (kind == .symbolicLink
          ? "name its target with -S, or remove the link"
          : "move it away, or choose another path with -S"))
  }
}
