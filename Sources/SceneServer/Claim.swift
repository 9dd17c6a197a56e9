package import ScenePlatform

/// The one right to serve a socket. The lock beside it is held for life; only its holder removes a
/// socket that was left behind, and at the end only its own.
package struct Claim: ~Copyable {
  package let listener: FileDescriptor
  private let path: String?
  private let identity: FileIdentity?
  private let lock: FileDescriptor?

  /// Claims a path: checks its directory, takes the lock, clears away what is stale, and listens.
  ///
  /// `state` is where the daemon keeps its state, or nothing for one that keeps none: whoever knows
  /// the socket finds it by that.
  package init(
    socket path: String, state: String, making: PrivateDirectory.Making
  ) throws(ServerError) {
    if let complaint = UnixSocket.complaint(aboutPath: path) {
      throw ServerError(.badConfiguration, complaint)
    }
    try Self.checkDirectory(of: path, making)
    try Self.checkPlace(path)
    let lock = try Lock.take(
      LockHolder.file(besideSocket: path), for: "the socket \(path)", socket: path, state: state)
    try Self.clearStale(path)
    let listener = try orServerError { () throws(SystemError) in try UnixSocket.listen(at: path) }
    let identity = try orServerError { () throws(SystemError) in
      try FileStatus(of: path, followLinks: false).identity
    }
    self.init(listener: listener, path: path, identity: identity, lock: lock)
  }

  /// Takes over a socket that somebody else opened, and that is theirs to remove.
  package init(inherited listener: consuming FileDescriptor) {
    self.init(listener: listener, path: nil, identity: nil, lock: nil)
  }

  private init(
    listener: consuming FileDescriptor, path: String?, identity: FileIdentity?,
    lock: consuming FileDescriptor?
  ) {
    self.listener = listener
    self.path = path
    self.identity = identity
    self.lock = lock
  }

  /// A daemon that cannot start after all leaves no socket behind.
  deinit { removeSocket() }

  /// Removes the socket, if it is still this one.
  package func removeSocket() {
    guard let path, let identity else { return }
    // It may be gone, or another's by now; both are fine.
    try? UnixSocket.remove(at: path, ifStill: identity)
  }

  private static func checkDirectory(
    of path: String, _ making: PrivateDirectory.Making
  ) throws(ServerError) {
    // A name alone lies in the current directory.
    guard let directory = path.contains("/") ? Directory.parent(of: path) : "." else {
      throw ServerError(.badConfiguration, "the socket's path names no directory: \(path)")
    }
    do throws(PrivateDirectoryError) {
      _ = try PrivateDirectory.make(directory, making)
    } catch {
      throw ServerError(error, option: "-S") { "and listen in there: -S \("\($0)/sock".shellWord)" }
    }
  }

  /// A socket is made where there is nothing, or one that was left behind.
  private static func checkPlace(_ path: String) throws(ServerError) {
    guard let kind = try? FileStatus(of: path, followLinks: false).kind, kind != .socket else {
      return
    }
    throw ServerError(
      .badConfiguration,
      "no socket can be made at \(path): it is \(kind.name), not a socket; "
        + (kind == .symbolicLink
          ? "name the place it leads to with -S, or remove it"
          : "move it away, or choose another path with -S"))
  }

  /// With the lock in hand, a socket that nobody answers on was left by a daemon that was killed.
  private static func clearStale(_ path: String) throws(ServerError) {
    do throws(SystemError) {
      guard File.exists(path) else { return }
      // With no room for another client, somebody listens all the same.
      if try isAnswered(path) {
        throw SystemError(
          call: "bind", path: path, code: .addressInUse, note: "another program listens there")
      }
      try UnixSocket.remove(at: path)
    } catch {
      guard error.code == .addressInUse else { throw ServerError(error) }
      throw ServerError(
        .inUse, "another program listens on \(path); stop it, or choose another path with -S")
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
