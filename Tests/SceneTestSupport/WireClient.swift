package import SceneJSON
package import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// A client with the protocol and nothing more. A test sees every message in order.
package final class WireClient {
  package enum Message: Equatable {
    case callback(Int64, Callback)
    case notification(BrokerNotification)
    case reply(RequestIdentifier, RawJSON)
    case error(RequestIdentifier?, BrokerError)
  }

  private let socket: FrameSocket
  private let document = JSONDocument()
  private var lastRequest: Int64 = 0
  /// Answers callbacks that come while the test waits for another message. Nil leaves a callback
  /// unanswered.
  package var acknowledge: (@Sendable (Callback) -> StateRestorationAnswer?) = { _ in
    StateRestorationAnswer()
  }
  /// Every message so far, in order.
  package private(set) var history: [Message] = []

  package init(socket: String) throws {
    self.socket = FrameSocket(try UnixSocket.connect(to: socket))
  }

  /// Sends `initialize`.
  @discardableResult
  package func initialize(
    as kind: ClientKind = .scene, name: String = "test", hosts: [String] = []
  ) throws -> Initialize.Reply {
    try request(
      Initialize(client: ClientName(name: name, version: "1"), as: kind, hosts: hosts))
  }

  // MARK: - Sending

  package func send(bytes: some Sequence<UInt8>) throws {
    socket.write(bytes: Array(bytes)[...])
    try flush()
  }

  private func flush() throws {
    guard try socket.flush(until: SystemClock.monotonic() + ceiling) else {
      throw Unmet("the broker does not read")
    }
    if socket.isBroken { throw Unmet("the broker has closed the connection") }
  }

  /// Sends any text in a frame.
  package func send(frame text: String) throws {
    let bytes = ContiguousArray(text.utf8)
    let length = bytes.count
    try send(
      bytes: [
        UInt8(length >> 24 & 0xFF), UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF),
        UInt8(length & 0xFF),
      ] + bytes)
  }

  /// Sends a request and does not wait for its reply.
  @discardableResult
  package func send(_ message: some RequestMessage) throws -> RequestIdentifier {
    lastRequest += 1
    let identifier = RequestIdentifier.number(lastRequest)
    try socket.write { (writer) throws(FrameError) in try writer.request(identifier, message) }
    try flush()
    return identifier
  }

  package func answer(_ callback: Int64, _ answer: StateRestorationAnswer = .init()) throws {
    socket.write { $0.answer(.number(callback), answer) }
    try flush()
  }

  /// Answers a callback of the application delegate.
  package func answer(_ question: Int64, _ answer: some JSONCodable) throws {
    socket.write { $0.answer(.number(question), answer) }
    try flush()
  }

  package func fail(_ callback: Int64, _ message: String) throws {
    socket.write { $0.failure(.number(callback), code: -32000, message: message) }
    try flush()
  }

  /// Closes the sending side and continues to read.
  package func endSending() throws { try socket.endSending() }

  // MARK: - Receiving

  /// The next message; nil after the broker closed the connection.
  package func next() throws -> Message? {
    guard let content = try nextFrame() else { return nil }
    let message = try message(content.span)
    history.append(message)
    return message
  }

  /// The content of the next frame; nil after the broker closed the connection.
  package func nextFrame() throws -> ContiguousArray<UInt8>? {
    while true {
      if let content = try socket.nextFrame() { return content }
      guard try read() else { return nil }
    }
  }

  /// Sends a request and returns its reply. Answers callbacks meanwhile. Throws an error reply.
  package func request<Request: RequestMessage>(_ message: Request) throws -> Request.Reply {
    try reply(to: try send(message), of: Request.self)
  }

  package func reply<Request: RequestMessage>(
    to identifier: RequestIdentifier, of type: Request.Type
  ) throws -> Request.Reply {
    let message = try first { message in
      switch message {
      case .reply(identifier, _), .error(identifier, _): true
      case .reply, .error, .callback, .notification: false
      }
    }
    switch message {
    case .reply(_, let json):
      try document.read(json.bytes)
      return try Request.Reply(reading: document.root)
    case .error(_, let error): throw error
    case .callback, .notification: preconditionFailure("not a reply")
    }
  }

  /// The first message that meets the condition. Answers the callbacks before it, and the message
  /// itself if it is a callback.
  @discardableResult
  package func first(where satisfies: (Message) -> Bool) throws -> Message {
    while let message = try next() {
      if case .callback(let number, let callback) = message, !callback.kind.isOfDelegate,
        let answer = acknowledge(callback)
      {
        try self.answer(number, answer)
      }
      if satisfies(message) { return message }
    }
    throw Unmet("the broker closed the connection; messages so far:\n\(history)")
  }

  /// Waits for a callback. Answers this callback and those before it.
  @discardableResult
  package func callback(_ kind: CallbackKind) throws -> Callback {
    let message = try first {
      if case .callback(_, let callback) = $0 { callback.kind == kind } else { false }
    }
    guard case .callback(_, let callback) = message else {
      preconditionFailure("not a callback")
    }
    return callback
  }

  /// Reads until the broker closes the connection. Returns the reason if the broker sent one.
  package func farewell() throws -> BrokerError? {
    var last: BrokerError?
    while let message = try next() {
      if case .error(nil, let error) = message { last = error }
    }
    return last
  }

  private func read() throws -> Bool {
    guard try socket.waitReadable(nanoseconds: ceiling) else {
      throw Unmet("no message from the broker; messages so far:\n\(history)")
    }
    switch socket.receive() {
    case .bytes, .wouldBlock: return true
    case .end, .failed: return false
    }
  }

  private func message(_ content: Span<UInt8>) throws -> Message {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(content, into: document)
    } catch {
      guard let farewell = error.closeReason else { throw error }
      return .error(nil, Self.error(farewell))
    }
    switch envelope {
    case .request(.number(let number)?, let method, let params):
      guard let params else { throw Unmet("a callback without parameters: \(method.raw)") }
      guard let callback = try Callback(method: method, params: params) else {
        throw Unmet("an unknown callback: \(method.raw)")
      }
      return .callback(number, callback)
    case .request(_, let method, let params):
      guard let params, let known = try BrokerNotification(method: method, params: params) else {
        throw Unmet("an unknown notification: \(method.raw)")
      }
      return .notification(known)
    case .result(let identifier, let result): return .reply(identifier, result.raw)
    case .failure(let identifier, let error):
      return .error(identifier, Self.error(RemoteError(reading: error)))
    }
  }

  private static func error(_ refusal: RemoteError) -> BrokerError {
    BrokerError(
      ErrorReason.named(refusal.reason) ?? .invalidRequest, refusal.message, retry: refusal.retry)
  }
}
