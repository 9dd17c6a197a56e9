/// The protocol of a service supervisor such as systemd.
package enum Supervisor {
  /// Sends a message such as `READY=1` to the supervisor; false if there is none.
  package static func notify(
    _ message: String, environment: [String: String] = Environment.all
  ) throws(SystemError) -> Bool {
    guard let name = environment["NOTIFY_SOCKET"], let first = name.first else { return false }
    let address =
      first == "@"
      ? try UnixSocketAddress(abstract: name, for: "sendto")
      : try UnixSocketAddress(path: name, for: "sendto")
    let socket = try UnixSocket.makeDatagram()
    let number = socket.number
    var bytes = ContiguousArray(message.utf8)
    _ = try bytes.withBytes { (buffer) throws(SystemError) in
      try check("sendto", name) {
        address.withPointer { pointer, length in
          sendto(number, buffer.baseAddress, buffer.count, sendFlags, pointer, length)
        }
      }
    }
    return true
  }

  /// The listening socket from the supervisor; nil if there is none.
  ///
  /// Takes ownership, so call it once. Throws if the supervisor passes several sockets, or one that
  /// is not a listening Unix-domain stream socket.
  package static func takeListeningSocket(
    environment: [String: String] = Environment.all
  ) throws(SystemError) -> FileDescriptor? {
    guard let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0,
      environment["LISTEN_PID"] == String(getpid())
    else { return nil }
    guard count == 1 else {
      throw SystemError(
        call: "LISTEN_FDS", code: .invalidArgument,
        note: "the supervisor passed \(count) sockets; scened uses exactly one")
    }
    return try adoptListener(FileDescriptor(adopting: 3))
  }

  /// Checks for a listening Unix-domain stream socket, and makes it nonblocking and close-on-exec.
  package static func adoptListener(
    _ socket: consuming FileDescriptor
  ) throws(SystemError) -> FileDescriptor {
    let number = socket.number
    // The check also fails for a descriptor that is no socket.
    guard (try? UnixSocketAddress(of: socket).isUnixDomain) == true,
      try option(SO_ACCEPTCONN, of: number) == 1,
      try option(SO_TYPE, of: number) == streamType
    else {
      throw SystemError(
        call: "LISTEN_FDS", code: .invalidArgument,
        note: "descriptor \(number) is not a listening Unix-domain stream socket")
    }
    try socket.setCloseOnExec()
    try socket.setNonblocking()
    return socket
  }

  private static func option(_ name: Int32, of socket: Int32) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    try check("getsockopt") { getsockopt(socket, SOL_SOCKET, name, &value, &length) }
    return value
  }
}
