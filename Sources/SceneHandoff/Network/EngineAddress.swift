package import ScenePlatform

/// The address of a member of etcd.
package enum EngineAddress: Equatable, Sendable, CustomStringConvertible {
  case network(host: String, port: UInt16)
  case unix(path: String)
  /// `port` is of the host's loopback interface.
  case ssh(destination: String, port: UInt16)

  package static let expectation = "HOST:PORT, unix:/PATH or ssh:[USER@]HOST[:PORT]"
  package static let standardPort: UInt16 = 2379

  /// Nil if the text is no address.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      guard text.hasPrefix("unix:/") else { return nil }
      self = .unix(path: String(text.dropFirst(5)))
    } else if text.hasPrefix("ssh:") {
      let place = String(text.dropFirst(4))
      let parts = Self.parts(of: place)
      let destination = parts?.host ?? place
      // ssh would take a word that begins with a dash as an option.
      guard !destination.isEmpty, !destination.hasPrefix("-"),
        parts != nil || !destination.contains(":")
      else { return nil }
      self = .ssh(destination: destination, port: parts?.port ?? Self.standardPort)
    } else {
      guard let parts = Self.parts(of: text) else { return nil }
      self = .network(host: parts.host, port: parts.port)
    }
  }

  /// A host, and the port behind the last colon; brackets can enclose a number of version 6.
  private static func parts(of text: String) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      port > 0
    else { return nil }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (String(host), port)
  }

  package var description: String {
    switch self {
    case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    case .ssh(let destination, let port): "ssh:\(destination):\(port)"
    }
  }

  /// Whether every process on the way can read the messages.
  package var isExposed: Bool {
    if case .network(let host, _) = self { return !NetworkSocket.isLoopback(host) }
    return false
  }

  /// Opens a nonblocking connection. `ssh` is the command of ssh, and its first words. The process
  /// of ssh ends with the connection, and the caller reaps `child`.
  package func connect(
    within nanoseconds: Int64, ssh: [String], child: inout ChildProcess?
  ) throws(SystemError) -> FileDescriptor {
    switch self {
    case .network(let host, let port):
      return try NetworkSocket.connect(to: host, port: port, within: nanoseconds)
    case .unix(let path):
      let socket = try UnixSocket.connect(to: path, within: nanoseconds)
      try socket.setNonblocking()
      return socket
    case .ssh(let destination, let port):
      var pair = try UnixSocket.pair()
      let own = pair.takeFirst()
      let other = pair.takeSecond()
      let options = ["-o", "BatchMode=yes", "-o", "ServerAliveInterval=15"]
      child = try ChildProcess.spawn(
        ssh[0], ssh.dropFirst() + options + ["-W", "127.0.0.1:\(port)", destination],
        descriptors: [0: other.number, 1: other.number, 2: 2], group: 0, death: .terminate)
      other.close()
      try own.setNonblocking()
      return own
    }
  }
}
