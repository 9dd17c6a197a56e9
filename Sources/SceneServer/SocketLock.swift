import ScenePlatform

/// The lock beside the place of a socket. Who has it may listen there, and clears away what is stale.
struct SocketLock: ~Copyable {
  let path: String
  private let file: FileDescriptor

  /// Checks the place and its directory, and takes the lock.
  ///
  /// `state` is where the daemon keeps its state, or nothing for one that keeps none: whoever knows
  /// the socket finds it by that.
  init(
    besideSocket path: String, state: String, making: PrivateDirectory.Making
  ) throws(ServerError) {
    if let complaint = UnixSocket.complaint(aboutPath: path) {
      throw ServerError(.badConfiguration, complaint)
    }
    try Self.checkDirectory(of: path, making)
    try Self.checkPlace(path)
    let file = try Lock.take(
      LockHolder.file(besideSocket: path), for: "the socket \(path)", socket: path, state: state)
    self.init(path, file)
  }

  private init(_ path: String, _ file: consuming FileDescriptor) {
    self.path = path
    self.file = file
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
}
