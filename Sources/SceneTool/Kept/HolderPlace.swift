import ScenePlatform

/// The socket and the lock file of a holder. A logout or the user can remove their directory while
/// the program runs.
final class HolderPlace {
  private(set) var listener: FileDescriptor
  /// Locked while the program can run. Another holder of the session can then start.
  private var lock: FileDescriptor?
  /// The path of the socket.
  private let path: String?
  private var identity: FileIdentity?
  private let watch: RemovalWatch

  /// `token` is for the watch of the directory.
  init(
    _ listener: consuming FileDescriptor, _ lock: consuming FileDescriptor, _ poller: Poller,
    token: UInt64
  ) {
    path = UnixSocket.path(of: listener)
    self.listener = listener
    self.lock = consume lock
    watch = RemovalWatch(poller, token: token)
    follow()
  }

  private func follow() {
    guard let path else { return }
    identity = try? FileStatus(of: path, followLinks: false).identity
    watch.follow(Directory.parent(of: path))
  }

  private var isLockInPlace: Bool {
    guard let path, let own = try? lock?.status().identity else { return false }
    return own == (try? FileStatus(of: KeptPlace.lockPath(ofSocket: path)).identity)
  }

  private var isInPlace: Bool {
    guard let path else { return true }
    return identity != nil && isLockInPlace
      && (try? FileStatus(of: path, followLinks: false).identity) == identity
  }

  /// When the holder makes missing files again, by the monotonic clock; nil for not at all.
  var nextBind: Int64? { watch.nextAttempt }

  /// The poller has reported the token.
  func check() { watch.check(isInPlace: isInPlace) }

  /// Makes missing files again, with this record.
  func bindAgain(_ record: HolderRecord) {
    guard let path, !isInPlace else { return watch.markInPlace() }
    watch.scheduleRetry()
    do {
      if let directory = Directory.parent(of: path) { _ = try PrivateDirectory.make(directory) }
      if !isLockInPlace {
        lock = try KeptPlace.lock(KeptPlace.lockPath(ofSocket: path))
        guard isLockInPlace else { return }
      }
      write(record)
      try UnixSocket.remove(at: path)
      listener = try UnixSocket.listen(at: path)
      follow()
    } catch {
      // The next attempt follows.
    }
  }

  func write(_ record: HolderRecord) {
    var bytes = record.bytes
    bytes.append(UInt8(ascii: "\n"))
    // A reader takes only the first line.
    try? bytes.withUnsafeBytes { (bytes) throws(SystemError) in try lock?.write(bytes, at: 0) }
    try? lock?.truncate(to: Int64(bytes.count))
  }

  /// Removes the files, unless those of another holder are in this place.
  func remove() {
    defer { lock = nil }
    watch.end()
    guard let path, isLockInPlace else { return }
    try? UnixSocket.remove(at: path)
    try? File.removeIfPresent(KeptPlace.lockPath(ofSocket: path))
  }
}
