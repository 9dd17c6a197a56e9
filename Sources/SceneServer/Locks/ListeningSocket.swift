import SceneCommandLine
import SceneJournal
import ScenePlatform

/// The socket of the broker, and the right to serve its path. The broker holds the lock beside the
/// path until it ends. Only the holder removes a stale socket, and at the end only its own.
struct ListeningSocket: ~Copyable {
  private(set) var listener: FileDescriptor
  private let path: String?
  private var identity: FileIdentity?
  private var lock: SocketLock?

  /// Nil for a socket that another process opened.
  var lockedFile: LockedFile? {
    switch lock {
    case .some(let lock): lock.lockedFile
    case .none: nil
    }
  }

  /// Listens at a locked path, after the removal of a stale socket.
  init(_ lock: consuming SocketLock) throws(ProgramError) {
    let path = lock.path
    try Self.clearStale(path)
    let listener = try serverCall { () throws(SystemError) in try UnixSocket.listen(at: path) }
    let identity = try serverCall { () throws(SystemError) in
      try FileStatus(of: path, followLinks: false).identity
    }
    self.init(listener: listener, path: path, identity: identity, lock: lock)
  }

  /// Takes over a socket that another process opened, and that this other process removes.
  init(inherited listener: consuming FileDescriptor) {
    self.init(listener: listener, path: nil, identity: nil, lock: nil)
  }

  /// Takes over the socket of the program that this one replaces. Call `own` when no other program
  /// can take it back.
  init(upgrading listener: consuming FileDescriptor, _ lock: consuming SocketLock) {
    let path = lock.path
    self.init(listener: listener, path: path, identity: nil, lock: lock)
  }

  /// This program removes the socket at its end.
  mutating func own() {
    guard let path, identity == nil else { return }
    identity = try? FileStatus(of: path, followLinks: false).identity
  }

  /// The descriptor of the lock; nil without a lock.
  var lockNumber: Int32? {
    switch lock {
    case .some(let lock): lock.number
    case .none: nil
    }
  }

  private init(
    listener: consuming FileDescriptor, path: String?, identity: FileIdentity?,
    lock: consuming SocketLock?
  ) {
    self.listener = listener
    self.path = path
    self.identity = identity
    self.lock = lock
  }

  /// A broker that fails to start leaves no socket behind.
  deinit { removeSocket() }

  /// The directory of an own socket.
  var directory: String? { path.flatMap { Directory.parent(of: Directory.absolute($0)) } }

  /// Whether clients and other brokers find this socket and its lock. Another process keeps its own
  /// socket in place.
  var isInPlace: Bool { isFound && lockedFile?.isInPlace != false }

  private var isFound: Bool {
    guard let path else { return true }
    return (try? FileStatus(of: path, followLinks: false).identity) == identity
  }

  /// Locks and listens at the path again, after the socket or its lock was removed.
  mutating func bindAgain() throws(ProgramError) {
    guard let path else { return }
    try lock?.takeAgain()
    if isFound { return }
    try Self.clearStale(path)
    listener = try serverCall { () throws(SystemError) in try UnixSocket.listen(at: path) }
    identity = try serverCall { () throws(SystemError) in
      try FileStatus(of: path, followLinks: false).identity
    }
  }

  /// Removes the socket, if it is still this one.
  func removeSocket() {
    guard let path, let identity else { return }
    // The socket may be gone, or may belong to another broker by now. Both are fine.
    try? UnixSocket.remove(at: path, ifStill: identity)
  }

  /// Removes the socket of a broker that was killed: this broker has the lock, and no process
  /// listens.
  private static func clearStale(_ path: String) throws(ProgramError) {
    do throws(SystemError) {
      guard File.exists(path) else { return }
      // A full queue of clients proves that a process listens.
      if try isAnswered(path) {
        throw SystemError(
          call: "bind", path: path, code: .addressInUse, note: "another program listens there")
      }
      try UnixSocket.remove(at: path)
    } catch {
      guard error.code == .addressInUse else { throw ProgramError(ofServer: error) }
      throw ProgramError(
        .noBroker,
        "cannot listen on \(path): another program listens there; stop that program, or choose "
          + "another path with -S")
    }
  }

  private static func isAnswered(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try UnixSocket.connect(to: path, within: 1_000_000)
      return true
    } catch {
      if error.isWouldBlock { return true }
      guard error.code == .connectionRefused || error.isNotFound else { throw error }
      return false
    }
  }
}
