#if canImport(Darwin)
  import CScenePlatform

  /// Makes a pipe whose ends no child inherits.
  func closingOnExec(_ numbers: UnsafeMutablePointer<Int32>?) -> Int32 {
    guard let numbers, pipe(numbers) == 0 else { return -1 }
    _ = fcntl(numbers[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(numbers[1], F_SETFD, FD_CLOEXEC)
    return 0
  }

  func systemIdentity(_ directory: Int32, _ name: String) -> (identity: FileIdentity, size: Int64)?
  {
    nil
  }

  extension FileDescriptor {
    /// The process that connected and has this ID; nil if the process was reaped.
    ///
    /// The kernel gives the ID of a reaped process to another one, and macOS has no descriptor of a
    /// process that could prevent that.
    package func peerIdentity(of pid: Int32) -> ProcessIdentity? {
      return ProcessIdentity.of(pid)
    }
  }

  /// The process that connected. The system does not tell how it ended.
  package final class PeerProcess {
    package init?(of socket: borrowing FileDescriptor) { nil }
    package var end: ProcessEnd? { nil }
  }

  extension UnixSocket {
    typealias SocketKind = Int32

    static func kind(_ type: SocketKind, nonblocking: Bool) -> Int32 { type }

    static func prepare(
      _ socket: borrowing FileDescriptor, nonblocking: Bool
    ) throws(SystemError) {
      let number = socket.number
      try socket.setCloseOnExec()
      if nonblocking { try socket.setNonblocking() }
      var one: Int32 = 1
      try check("setsockopt") {
        setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
      }
    }

    static func acceptNonblocking(_ listener: Int32) -> Int32 {
      let number = ScenePlatform.accept(listener, nil, nil)
      if number < 0 { return number }
      let accepted = FileDescriptor(adopting: number)
      do {
        try prepare(accepted, nonblocking: true)
      } catch {
        errno = error.code.rawValue
        return -1
      }
      return accepted.release()
    }

    /// Darwin offers only the umask, which belongs to the whole process.
    static func withMode(
      _ mode: UInt32, ofFileOf socket: borrowing FileDescriptor, _ bind: () -> Int32
    ) throws(SystemError) -> Int32 {
      let previous = umask(mode_t(~mode & 0o777))
      defer { umask(previous) }
      return bind()
    }
  }

  extension FileDescriptor {
    /// The number of sent bytes that the peer has not read; nil if the system does not report it.
    package var unreadByPeer: Int? {
      var count: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(number, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? Int(count) : nil
    }
  }

  extension sockaddr_un {
    mutating func setLength(_ length: socklen_t) { sun_len = UInt8(length) }
  }

  /// The sockets were told to raise no SIGPIPE when they were made.
  var sendFlags: Int32 { 0 }

  var streamType: Int32 { SOCK_STREAM }

  /// Wakes a ``Poller`` of another thread. The descriptor is readable from ``signal()`` until
  /// ``drain()``.
  package final class Wakeup: Sendable {
    private let reading: FileDescriptor
    private let writing: FileDescriptor

    package init() throws(SystemError) {
      var pair = try FileDescriptor.pipe()
      reading = pair.takeFirst()
      writing = pair.takeSecond()
      try reading.setNonblocking()
      try writing.setNonblocking()
    }

    /// The descriptor to add to a poller, as readable.
    package var number: Int32 { reading.number }

    /// Wakes the poller. Repeated calls before a drain count as one. Any thread may call it.
    package func signal() {
      var one: UInt8 = 1
      // A full pipe is already readable.
      _ = retrying { write(writing.number, &one, 1) }
    }

    /// Makes the descriptor unreadable until the next signal. Drain before you read the shared
    /// data.
    package func drain() {
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
        // An eventfd needs one read, a pipe may need several.
        while retrying({ read(reading.number, buffer.baseAddress, buffer.count) }) == buffer.count {
        }
      }
    }
  }

  /// Watches a directory for changes of its files. The descriptor is readable from a change until
  /// ``drain()``. The watch does not report which file changed.
  ///
  /// Where the system reports no changes, the descriptor becomes readable every 500 ms: on Darwin,
  /// because a kqueue reports no writes, and on Linux when the user's inotify instances are in use.
  package final class DirectoryWatch: Sendable {
    private let descriptor: FileDescriptor

    private static let milliseconds = 500

    /// The descriptor to add to a poller, as readable.
    package var number: Int32 { descriptor.number }

    package init(_ path: String) throws(SystemError) {
      let queue = FileDescriptor(adopting: try check("kqueue") { kqueue() })
      try queue.setCloseOnExec()
      let number = queue.number
      var timer = kevent64_s()
      timer.filter = Int16(EVFILT_TIMER)
      timer.flags = UInt16(EV_ADD)
      timer.data = Self.milliseconds
      try check("kevent") { kevent64(number, &timer, 1, nil, 0, 0, nil) }
      descriptor = queue
    }

    /// Throws, because a process that watches for removals must not wake without one.
    package init(removalsIn path: String) throws(SystemError) {
      throw SystemError(call: "kevent", path: path, code: .notSupported)
    }

    package func drain() {
      var event = kevent64_s()
      var now = timespec()
      _ = kevent64(descriptor.number, nil, 0, &event, 1, 0, &now)
    }
  }

  extension FileDescriptor {
    /// Syncs the content and the length of the file to the disk.
    ///
    /// After an error the kernel may mark the pages as clean, so a second call proves nothing.
    package func synchronizeData() throws(SystemError) {
      // On Darwin, fsync leaves the bytes in the drive's cache. Some file systems lack F_FULLFSYNC.
      if retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
      guard ErrorCode.last.isUnsupported || ErrorCode.last == .invalidArgument else {
        throw SystemError("fcntl F_FULLFSYNC")
      }
      try check("fsync") { fsync(number) }
    }

    /// Syncs the content and the metadata of a file, or the names in a directory, to the disk.
    package func synchronize() throws(SystemError) {
      if retrying({ fcntl(number, F_FULLFSYNC) }) == 0 { return }
      try check("fsync") { fsync(number) }
    }

    /// Makes the file at least `size` bytes long and allocates its blocks. Later writes below
    /// `size` cannot fail with a full disk.
    ///
    /// Throws an error with `isFull` on a full disk, and with `isUnsupported` if the file system
    /// cannot allocate ahead. The caller can then write zeros.
    package func reserve(_ size: Int64) throws(SystemError) {
      let present = try status().size
      if size <= present { return }
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(size - present), fst_bytesalloc: 0)
      try check("fcntl F_PREALLOCATE") { fcntl(number, F_PREALLOCATE, &store) }
      try truncate(to: size)
    }

    /// The first offset ≥ `offset` that may contain written bytes; the end of the file if there
    /// is none. Returns `offset` if the system does not report holes.
    package func nextWritten(from offset: Int64) throws(SystemError) -> Int64 {
      return offset
    }

    /// Disables read-ahead. Allocated pages that the kernel has read ahead would count as written
    /// in ``nextWritten(from:)``.
    package func readNothingAhead() {
      _ = fcntl(number, F_RDAHEAD, 0)
    }
  }

  extension File {
    /// The holders of all whole-file locks. The table omits device numbers, because some file
    /// systems report a different one here.
    static var lockTable: [(pid: Int32, inode: UInt64)]? {
      nil
    }
  }
#endif
