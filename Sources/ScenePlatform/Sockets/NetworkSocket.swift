import CScenePlatform

/// Stream sockets of the Internet protocols.
package enum NetworkSocket {
  /// Connects to a host by name or number, and tries its addresses in order. The result is
  /// nonblocking. The look-up of a name can take longer than `nanoseconds`.
  package static func connect(
    to host: String, port: UInt16, within nanoseconds: Int64
  ) throws(SystemError) -> FileDescriptor {
    let deadline = SystemClock.monotonic() + nanoseconds
    let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, "\(port)", &hints, &list)
    guard result == 0, let first = list else {
      throw SystemError(
        call: "connect", path: place, code: .notFound,
        note: gai_strerror(result).map { String(cString: $0) })
    }
    defer { freeaddrinfo(first) }
    var failure = SystemError(call: "connect", path: place, code: .notFound)
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let address = next?.pointee {
      next = address.ai_next
      do throws(SystemError) {
        return try connect(to: address, place, until: deadline)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Whether a host is this machine by its number, or is called `localhost`.
  package static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  private static func connect(
    to address: addrinfo, _ place: String, until deadline: Int64
  ) throws(SystemError) -> FileDescriptor {
    let socket = FileDescriptor(
      adopting: try check("socket", place) {
        ScenePlatform.socket(
          address.ai_family, UnixSocket.kind(SOCK_STREAM, nonblocking: true), 0)
      })
    try UnixSocket.prepare(socket, nonblocking: true)
    var one: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = setsockopt(socket.number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
    let result = retrying {
      ScenePlatform.connect(socket.number, address.ai_addr, address.ai_addrlen)
    }
    if result == 0 { return socket }
    guard errno == EINPROGRESS else { throw SystemError("connect", place) }
    let left = max(0, deadline - SystemClock.monotonic())
    guard try socket.waitWritable(nanoseconds: left) else {
      throw SystemError(call: "connect", path: place, code: ErrorCode(rawValue: ETIMEDOUT))
    }
    var code: Int32 = 0
    var length = size
    try check("getsockopt", place) {
      getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &length)
    }
    if code != 0 {
      throw SystemError(call: "connect", path: place, code: ErrorCode(rawValue: code))
    }
    return socket
  }
}
