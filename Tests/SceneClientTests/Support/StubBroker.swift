import SceneBroker
import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneTransport
import SceneWire
import Testing

@testable import SceneClient

/// A broker at the other end of socket pairs, which does what a test specifies.
final class StubBroker: Sendable {
  private struct State: Sendable {
    var isThere = true
    /// The broker's ends of new connections, by their numbers.
    var waiting: [Int32] = []
  }

  private let state = ConditionMutex(State())

  /// Connects a client to this broker.
  func connect() throws(SystemError) -> FileDescriptor {
    var pair = try UnixSocket.pair()
    let ours = pair.takeFirst()
    let theirs = pair.takeSecond()
    let number = ours.release()
    let isThere = state.withLock { state in
      if state.isThere { state.waiting.append(number) }
      return state.isThere
    }
    guard isThere else {
      FileDescriptor(adopting: number).close()
      throw SystemError(call: "connect", path: "scripted", code: .connectionRefused)
    }
    return theirs
  }

  var isThere: Bool {
    get { state.withLock { $0.isThere } }
    set { state.withLock { $0.isThere = newValue } }
  }

  /// The next connection of the client.
  func accept() throws -> BrokerEnd {
    let deadline = SystemClock.monotonic() + ceiling
    let number = state.wait(until: deadline) { state -> Int32? in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    guard let number else { throw Unmet("the client made no connection") }
    return BrokerEnd(FileDescriptor(adopting: number))
  }

  /// The next connection, after the client's `initialize`.
  func meet(frameBytes: Int = 1 << 20) throws -> BrokerEnd {
    let end = try accept()
    let (number, request) = try end.request()
    guard request.message is Initialize else { throw Unmet("expected initialize, not \(request)") }
    var reply = Initialize.Reply()
    reply.version = 1
    reply.limits = PublishedLimits()
    reply.limits.frameBytes = frameBytes
    reply.limits.activityBytes = 256 << 10
    try end.reply(number, BrokerReply(reply))
    return end
  }

  deinit {
    for number in state.withLock({ $0.waiting }) { FileDescriptor(adopting: number).close() }
  }
}

/// The broker's part on its own thread, while the test awaits the client. If this part fails, the
/// client stops, and the awaited call throws.
final class Script: Sendable {
  private let result = ConditionMutex<Result<Void, any Error>?>(nil)
  private let waiting = ConditionMutex<CheckedContinuation<Void, any Error>?>(nil)

  init(
    _ end: BrokerEnd, for application: SceneApplication,
    _ body: @escaping @Sendable () throws -> Void
  ) throws {
    // Between two steps of the test, the script waits for all other tests.
    end.patience = 10 * ceiling
    _ = try Thread("script") { [self] in
      let result = Result(catching: body)
      if case .failure = result { application.stop() }
      self.result.withLock { $0 = result }
      waiting.withLock { $0 }?.resume(with: result)
    }
  }

  /// Returns when the script has ended.
  func end() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result = self.result.withLock { result in
        if result == nil { waiting.withLock { $0 = continuation } }
        return result
      }
      if let result { continuation.resume(with: result) }
    }
  }
}

/// The broker's end of one connection, with all messages of the client in order. Only one thread at
/// a time uses it.
final class BrokerEnd: @unchecked Sendable {
  enum Message: Equatable {
    case request(RequestIdentifier?, ClientRequest)
    case answer(RequestIdentifier, RawJSON)
    case failure(RequestIdentifier, RawJSON)
  }

  /// The longest time to wait for a message, in nanoseconds.
  var patience = ceiling
  private var socket: FrameSocket?
  private let document = JSONDocument()
  private var lastCallback: Int64 = 0

  init(_ descriptor: consuming FileDescriptor) { socket = FrameSocket(descriptor) }

  /// Closes the connection like a killed broker.
  func vanish() { socket = nil }

  // MARK: - Sending

  /// Sends any bytes.
  func say(_ bytes: ContiguousArray<UInt8>) throws {
    try flush { $0.write(bytes: bytes[...]) }
  }

  private func say(_ body: (inout FrameWriter) -> Void) throws {
    try flush { $0.write(body) }
  }

  private func flush(_ write: (FrameSocket) -> Void) throws {
    guard let socket else { throw Unmet("the broker has closed the connection") }
    write(socket)
    guard try socket.flush(until: nil), !socket.isBroken else {
      throw Unmet("the client has closed the connection")
    }
  }

  func reply(_ identifier: RequestIdentifier?, _ reply: BrokerReply) throws {
    guard let identifier else { return }
    try say { $0.reply(identifier, reply) }
  }

  func refuse(
    _ identifier: RequestIdentifier?, _ reason: ErrorReason, _ message: String = "no"
  ) throws {
    try say { $0.error(identifier, BrokerError(reason, message)) }
  }

  @discardableResult
  func call(_ callback: Callback) throws -> RequestIdentifier {
    lastCallback += 1
    try say { $0.callback(lastCallback, callback) }
    return .number(lastCallback)
  }

  func notify(_ notification: BrokerNotification) throws {
    try say { $0.notification(notification) }
  }

  // MARK: - Receiving

  /// The next message; nil after the client closed the connection. Answers pings like every broker.
  func next() throws -> Message? {
    while true {
      guard let content = try socket?.nextFrame() else {
        guard try read() else { return nil }
        continue
      }
      let message = try message(content.span)
      guard case .request(let identifier, let request) = message, request.message is Ping else {
        return message
      }
      try reply(identifier, .empty)
    }
  }

  /// The next message, which must be a request.
  func request() throws -> (RequestIdentifier?, ClientRequest) {
    let message = try next()
    guard case .request(let identifier, let request)? = message else {
      throw Unmet("expected a request, not \(String(describing: message))")
    }
    return (identifier, request)
  }

  /// Receives this request, and replies.
  func expect(
    _ message: any RequestMessage, reply: any ReplyContent,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let (number, request) = try self.request()
    #expect(request == ClientRequest(message), sourceLocation: location)
    try self.reply(number, BrokerReply(reply))
  }

  /// Receives this request, and refuses it.
  func expect(
    _ message: any RequestMessage, refusal: ErrorReason,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let (number, request) = try self.request()
    #expect(request == ClientRequest(message), sourceLocation: location)
    try refuse(number, refusal)
  }

  /// The text of the next message, which must be the answer to a callback.
  func answer() throws -> (RequestIdentifier, String) {
    let message = try next()
    guard case .answer(let identifier, let text)? = message else {
      throw Unmet("expected an answer, not \(String(describing: message))")
    }
    return (identifier, text.description)
  }

  /// Sends a callback and waits for its answer.
  @discardableResult
  func ask(_ callback: Callback) throws -> String {
    let number = try call(callback)
    let (identifier, text) = try answer()
    guard identifier == number else { throw Unmet("an answer to \(identifier), not \(number)") }
    return text
  }

  /// Assigns a scene to the client and moves it to the foreground.
  func bring(_ session: SessionIdentifier, hold: Int64 = 1) throws {
    try ask(.willConnect(session, hold: hold))
    try ask(Callback(.willEnterForeground, of: session))
    try ask(Callback(.didBecomeActive, of: session))
  }

  private func read() throws -> Bool {
    guard let isReadable = try socket?.waitReadable(nanoseconds: patience), isReadable else {
      throw Unmet("no message from the client")
    }
    switch socket?.receive() {
    case .bytes, .wouldBlock: return true
    case .end, .failed, nil: return false
    }
  }

  private func message(_ content: Span<UInt8>) throws -> Message {
    switch try Envelope(content, into: document) {
    case .request(let identifier, let method, let params):
      .request(identifier, try ClientRequest(reading: method, params))
    case .result(let identifier, let result): .answer(identifier, result.raw)
    case .failure(let identifier, let error): .failure(identifier, error.raw)
    }
  }
}

extension ClientRequest {
  /// Reads a request as the broker does.
  init(reading name: JSONValue, _ params: JSONValue?) throws {
    guard let method = RequestMethod.named(name) else {
      throw Unmet("there is no method \(name.string ?? "")")
    }
    self.init(try method.message.read(params))
  }
}
