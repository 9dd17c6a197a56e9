import ScenePlatform
import SceneTestSupport
import SceneWire

/// A client that knows frames and nothing of what is in them.
final class FrameClient {
  private let descriptor: FileDescriptor
  private var decoder = FrameDecoder()
  private let buffer = InputBuffer()
  private var arrived: [String] = []

  init(socket: String) throws { descriptor = try UnixSocket.connect(to: socket) }

  func send(_ text: String) throws {
    let content = Array(text.utf8)
    let length = content.count
    try send(
      bytes: [0, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + content)
  }

  func send(bytes: [UInt8]) throws {
    var rest = ContiguousArray(bytes)
    while !rest.isEmpty {
      // Unlike a write, it raises no signal when the other end is gone.
      guard case .bytes(let count) = descriptor.send(rest.span.bytes) else {
        throw Unmet("the broker has closed the connection")
      }
      rest.removeFirst(count)
    }
  }

  /// Ends the connection, also if a child process inherited the descriptor and has not called exec.
  func end() throws { try descriptor.endSending() }

  /// The next frame; nil when the broker has closed the connection.
  func next() throws -> String? {
    while arrived.isEmpty {
      guard try read() else { return nil }
    }
    return arrived.removeFirst()
  }

  /// No message is unread, so the next message is the reply to the next request.
  func expectNothing() throws {
    try send(#"{"jsonrpc":"2.0","id":"the end","method":"broker/ping"}"#)
    let answer = try next()
    guard answer == #"{"jsonrpc":"2.0","id":"the end","result":{}}"# else {
      throw Unmet("the broker had more to say: \(answer ?? "nothing; it closed the connection")")
    }
  }

  private func read() throws -> Bool {
    guard try descriptor.waitReadable(nanoseconds: ceiling) else {
      throw Unmet("nothing came from the broker")
    }
    switch descriptor.receive(into: buffer.bytes) {
    case .bytes(let count):
      try buffer.withSpan(of: count) { bytes in
        try decoder.decode(bytes) { content in
          arrived.append(String(decoding: content.indices.map { content[$0] }, as: UTF8.self))
          return true
        }
      }
      return true
    case .end, .failed: return false
    case .wouldBlock: return true
    }
  }
}
