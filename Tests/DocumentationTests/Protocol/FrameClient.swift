import ScenePlatform
import SceneTestSupport
import SceneTransport

/// A client that reads and writes frames, and does not interpret their content.
final class FrameClient {
  private let socket: FrameSocket

  init(socket: String) throws { self.socket = FrameSocket(try UnixSocket.connect(to: socket)) }

  func send(_ text: String) throws {
    let content = Array(text.utf8)
    let length = content.count
    try send(
      bytes: [0, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + content)
  }

  func send(bytes: [UInt8]) throws {
    socket.write(bytes: bytes[...])
    guard try socket.flush(until: SystemClock.monotonic() + ceiling), !socket.isBroken else {
      throw Unmet("the broker does not read, or has closed the connection")
    }
  }

  /// Ends the connection, even if a child process inherited the descriptor and has not called exec.
  func end() throws { try socket.endSending() }

  /// The next frame; nil after the broker closed the connection.
  func next() throws -> String? {
    while true {
      if let content = try socket.nextFrame() { return String(decoding: content, as: UTF8.self) }
      guard try read() else { return nil }
    }
  }

  /// Expects that no message is unread: the next message is the reply to the next request.
  func expectNothing() throws {
    try send(#"{"jsonrpc":"2.0","id":"the end","method":"broker/ping"}"#)
    let answer = try next()
    guard answer == #"{"jsonrpc":"2.0","id":"the end","result":{}}"# else {
      throw Unmet("the broker sent something else: \(answer ?? "the end of the connection")")
    }
  }

  private func read() throws -> Bool {
    guard try socket.waitReadable(nanoseconds: ceiling) else {
      throw Unmet("no frame came from the broker")
    }
    switch socket.receive() {
    case .bytes, .wouldBlock: return true
    case .end, .failed: return false
    }
  }
}
