/// The address of a Unix-domain socket, in the kernel's format.
struct UnixSocketAddress {
  private var address = sockaddr_un()
  private var length: socklen_t

  /// The maximum length of a path in bytes, without the terminating zero.
  static var maximumPathLength: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  /// A path in the file system.
  init(path: String, for call: String) throws(SystemError) {
    try self.init(name: path.utf8, path: path, for: call)
  }

  /// A name in Linux's abstract namespace, written with a leading `@`.
  init(abstract name: String, for call: String) throws(SystemError) {
    try self.init(name: [0] + Array(name.utf8.dropFirst()), path: name, for: call)
  }

  /// The address to which a socket is bound.
  init(of socket: borrowing FileDescriptor) throws(SystemError) {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    try check("getsockname") {
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(socket.number, $0, &length)
        }
      }
    }
    self.address = address
    self.length = length
  }

  var isUnixDomain: Bool { address.sun_family == sa_family_t(AF_UNIX) }

  /// Nil for an address without a path.
  var path: String? {
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    guard isUnixDomain, Int(length) > offset, address.sun_path.0 != 0 else { return nil }
    return withUnsafeBytes(of: address.sun_path) { bytes in
      String(decoding: bytes.prefix(Int(length) - offset).prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private init(
    name: some Collection<UInt8>, path: String, for call: String
  ) throws(SystemError) {
    let limit = UnixSocketAddress.maximumPathLength
    guard name.count <= limit else {
      throw SystemError(
        call: call, path: path, code: .nameTooLong,
        note: "the path of the socket has \(name.count) bytes; the limit is \(limit)")
    }
    guard let first = name.first else {
      throw SystemError(call: call, path: path, code: .notFound, note: "the path is empty")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    // A path includes its terminating zero; an abstract name does not.
    length = socklen_t(offset + name.count + (first == 0 ? 0 : 1))
    address.setLength(length)
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
