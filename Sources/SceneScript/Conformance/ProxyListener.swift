import ScenePlatform

/// The listening socket of a proxy.
final class ProxyListener: Sendable {
  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// Waits for the next client; nil after an error.
  func next() -> ProxiedConnection.End? {
    do throws(SystemError) {
      while true {
        _ = try socket.waitReadable()
        if let client = try UnixSocket.accept(from: socket) {
          return ProxiedConnection.End(client)
        }
      }
    } catch {
      return nil
    }
  }
}
