import ScenePlatform

/// The socket and the lock file of a holder. A logout or the user can remove their directory while
/// the program runs.
final class HolderPlace {
  private(set) var listener = FileDescriptor(adopting: Holder.Number.listener)
  /// Locked while the program can run. Another holder of the session can then start.
  private var lock: FileDescriptor? = FileDescriptor(adopting: Holder.Number.lock)
  /// The path of the socket.
  private let path: String?
  private var identity: FileIdentity?
  /// Reports removed files beside the socket; nil if the system cannot.
  private(set) var watch: DirectoryWatch?
  /// When the holder looks at its files again, by the monotonic clock; nil if its watch does so.
  private(set) var nextBind: Int64?

  /// Nanoseconds until the holder listens again, so that a removal of the directory can end.
  private static let bindDelay: Int64 = 1_000_000_000
  /// Nanoseconds until the next attempt.
  private static let bindInterval: Int64 = 60_000_000_000

  init() {
    path = UnixSocket.path(of: listener)
    follow()
  }

  private func follow() {
    guard let path else { return }
    identity = try? FileStatus(of: path, followLinks: false).identity
    watch = Directory.parent(of: path).flatMap { try? DirectoryWatch(removalsIn: $0) }
    planCheck()
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

  /// Plans to listen again if a file is missing.
  func check() {
    watch?.drain()
    if isInPlace {
      planCheck()
    } else if lock != nil {
      nextBind = min(nextBind ?? .max, SystemClock.monotonic() + Self.bindDelay)
    }
  }

  /// Without a watch, the holder looks at its files regularly.
  private func planCheck() {
    nextBind = watch == nil ? SystemClock.monotonic() + Self.bindInterval : nil
  }

  /// Makes missing files again, with this record.
  func bindAgain(_ record: HolderRecord) {
    guard let path, !isInPlace else { return planCheck() }
    nextBind = SystemClock.monotonic() + Self.bindInterval
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
    defer {
      lock = nil
      nextBind = nil
    }
    guard let path, isLockInPlace else { return }
    try? UnixSocket.remove(at: path)
    try? File.removeIfPresent(KeptPlace.lockPath(ofSocket: path))
  }
}
