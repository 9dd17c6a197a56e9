import CScenePlatform

extension UnixSocket {
  typealias SocketKind = __socket_type

  static func kind(_ type: SocketKind, nonblocking: Bool) -> Int32 {
    let flags = SOCK_CLOEXEC.rawValue | (nonblocking ? SOCK_NONBLOCK.rawValue : 0)
    return Int32(type.rawValue | flags)
  }

  static func acceptNonblocking(_ listener: Int32) -> Int32 {
    let flags = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    return platform_accept4(listener, nil, nil, Int32(flags))
  }

  /// Does nothing: the flags of the call have made the socket.
  static func prepare(
    _ socket: borrowing FileDescriptor, nonblocking: Bool
  ) throws(SystemError) {}

  /// Linux gives the file the mode of the socket, so the mode is right from the start.
  static func withMode(
    _ mode: UInt32, ofFileOf socket: borrowing FileDescriptor, _ bind: () -> Int32
  ) throws(SystemError) -> Int32 {
    try check("fchmod") { fchmod(socket.number, mode) }
    return bind()
  }
}

extension FileDescriptor {
  /// The number of sent bytes that the peer has not read; nil if the system does not report it.
  package var unreadByPeer: Int? {
    var count: Int32 = 0
    return ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : nil
  }
}

extension sockaddr_un {
  mutating func setLength(_ length: socklen_t) {}
}

/// A send raises no SIGPIPE.
var sendFlags: Int32 { Int32(MSG_NOSIGNAL) }

/// The type of a stream socket, as `getsockopt` returns it.
var streamType: Int32 { Int32(SOCK_STREAM.rawValue) }
