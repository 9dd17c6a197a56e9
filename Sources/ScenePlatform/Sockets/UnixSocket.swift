import CScenePlatform

/// Stream sockets with a path in the file system.
package enum UnixSocket {
  /// The maximum length of a socket's path, in bytes.
  package static var maximumPathLength: Int { UnixSocketAddress.maximumPathLength }

  /// Why no socket can have this path; nil if one can.
  package static func complaint(aboutPath path: String) -> String? {
    guard path.utf8.count > maximumPathLength else { return nil }
    return "the path of the socket is too long (\(path.utf8.count) bytes; the limit is "
      + "\(maximumPathLength)): \(path); choose a shorter path with -S"
  }

  /// Makes a nonblocking listening socket at a path that does not exist.
  ///
  /// The file has `mode` from the start, so that other users can connect at no time.
  package static func listen(
    at path: String, mode: UInt32 = 0o600, backlog: Int32 = 1024
  ) throws(SystemError) -> FileDescriptor {
    let address = try UnixSocketAddress(path: path, for: "bind")
    let socket = try make(SOCK_STREAM, nonblocking: true)
    try bind(socket, to: address, path: path, mode: mode)
    try check("listen", path) { ScenePlatform.listen(socket.number, backlog) }
    return socket
  }

  /// Accepts the next client as a nonblocking socket; nil if none waits. An error may concern one
  /// client only: see `ErrorCode.isOfListener`.
  package static func accept(
    from listener: borrowing FileDescriptor
  ) throws(SystemError) -> FileDescriptor? {
    while true {
      let accepted = acceptNonblocking(listener.number)
      if accepted >= 0 { return FileDescriptor(adopting: accepted) }
      let code = ErrorCode.last
      if code.isWouldBlock { return nil }
      if code == .interrupted { continue }
      throw SystemError(call: "accept", code: code)
    }
  }

  /// Connects to a listening socket; the result is blocking.
  ///
  /// Errors: `.notFound`: the path does not exist. `.connectionRefused`: no process listens.
  /// `.notASocket`: the path is no socket. `.isWouldBlock`: the queue of the listener stayed full
  /// for `nanoseconds`.
  package static func connect(
    to path: String, within nanoseconds: Int64 = 10_000_000_000
  ) throws(SystemError) -> FileDescriptor {
    let address = try UnixSocketAddress(path: path, for: "connect")
    let socket = try make(SOCK_STREAM, nonblocking: false)
    // Linux limits the wait for a full queue by the send timeout.
    try setSendTime(of: socket, nanoseconds)
    let result = address.withPointer { pointer, length in
      retrying { ScenePlatform.connect(socket.number, pointer, length) }
    }
    if result != 0 && errno != EISCONN { throw explained(SystemError("connect", path)) }
    try setSendTime(of: socket, 0)
    return socket
  }

  /// Connects to a broker. Throws if the broker runs as another user than this one or root, because
  /// that user could read the messages.
  package static func connect(
    toBroker path: String, within nanoseconds: Int64 = 10_000_000_000
  ) throws(SystemError) -> FileDescriptor {
    let socket = try connect(to: path, within: nanoseconds)
    let user = try socket.peerCredentials().user
    guard user == User.current || user == 0 else {
      throw SystemError(
        call: "connect", path: path, code: .notPermitted,
        note: "the broker there runs as user \(user), and this process as user \(User.current)")
    }
    return socket
  }

  /// Adds a note to the error: the kind of the file if the path is no socket, or its owner if
  /// access is denied.
  private static func explained(_ error: SystemError) -> SystemError {
    if error.isDenied {
      var error = error
      error.note = error.path.flatMap(FileStatus.foreignOwner)
      return error
    }
    guard error.code == .connectionRefused || error.code == .notASocket, let path = error.path,
      let kind = try? FileStatus(of: path).kind, kind != .socket
    else { return error }
    return SystemError(
      call: error.call, path: path, code: .notASocket, note: "found \(kind.name), not a socket")
  }

  /// Sets the send timeout; 0 means no limit.
  private static func setSendTime(
    of socket: borrowing FileDescriptor, _ nanoseconds: Int64
  ) throws(SystemError) {
    var time = timeval()
    time.tv_sec = .init(nanoseconds / 1_000_000_000)
    time.tv_usec = .init(nanoseconds % 1_000_000_000 / 1000)
    try check("setsockopt") {
      setsockopt(
        socket.number, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Makes two connected blocking sockets.
  package static func pair() throws(SystemError) -> FileDescriptor.Pair {
    var numbers: (Int32, Int32) = (-1, -1)
    try withUnsafeMutableBytes(of: &numbers) { (bytes) throws(SystemError) in
      let start = bytes.baseAddress?.assumingMemoryBound(to: Int32.self)
      try check("socketpair") {
        socketpair(AF_UNIX, kind(SOCK_STREAM, nonblocking: false), 0, start)
      }
    }
    let first = FileDescriptor(adopting: numbers.0)
    let second = FileDescriptor(adopting: numbers.1)
    try prepare(first, nonblocking: false)
    try prepare(second, nonblocking: false)
    return FileDescriptor.Pair(first, second)
  }

  /// The path of a socket; nil for a socket without a path.
  package static func path(of socket: borrowing FileDescriptor) -> String? {
    (try? UnixSocketAddress(of: socket))?.path
  }

  /// Removes a socket if it exists. Throws if the path is no socket.
  ///
  /// With `identity`, removes only the socket with this identity.
  package static func remove(
    at path: String, ifStill identity: FileIdentity? = nil
  ) throws(SystemError) {
    let status: FileStatus
    do {
      status = try FileStatus(of: path, followLinks: false)
    } catch let error where error.isNotFound {
      return
    }
    if let identity, identity != status.identity { return }
    guard status.kind == .socket else {
      throw SystemError(
        call: "unlink", path: path, code: .exists, note: "not a socket; not removed")
    }
    try File.remove(path)
  }
}

extension UnixSocket {
  /// Makes a blocking, unbound datagram socket.
  static func makeDatagram() throws(SystemError) -> FileDescriptor {
    try make(SOCK_DGRAM, nonblocking: false)
  }

  /// Makes a close-on-exec socket that raises no SIGPIPE.
  private static func make(_ type: SocketKind, nonblocking: Bool) throws(SystemError)
    -> FileDescriptor
  {
    let socket = FileDescriptor(
      adopting: try check("socket") {
        ScenePlatform.socket(AF_UNIX, kind(type, nonblocking: nonblocking), 0)
      })
    try prepare(socket, nonblocking: nonblocking)
    return socket
  }

  static func bind(
    _ socket: borrowing FileDescriptor, to address: UnixSocketAddress, path: String, mode: UInt32
  ) throws(SystemError) {
    let result = try withMode(mode, ofFileOf: socket) {
      address.withPointer { pointer, length in ScenePlatform.bind(socket.number, pointer, length) }
    }
    if result != 0 { throw SystemError("bind", path) }
  }
}
