package import SceneJSON
package import SceneModel
package import ScenePlatform
import SceneTransport
package import SceneWire

/// A blocking connection, for a program that waits for each reply. One thread uses it. Requests are
/// buffered until the program waits for a reply, so `initialize` and the first requests leave in
/// one write. Notifications are kept in order until the program takes them. Deadlines are times of
/// ``SystemClock/monotonic()``. Without a deadline, a wait ends with the connection.
package final class ControlConnection {
  /// Receives the content of each frame that is sent or read.
  package var onFrame: ((FrameDirection, ContiguousArray<UInt8>) -> Void)? {
    get { socket.onFrame }
    set { socket.onFrame = newValue }
  }

  /// Called once during a long wait for a reply.
  package var onLongWait: (() -> Void)?

  /// The time at which every wait times out, also one without a deadline.
  package var horizon: Int64?

  /// Called repeatedly during a wait. If it returns true, the wait times out.
  package var shouldAbandonWait: (() -> Bool)?

  /// Connects to the next broker after the end of this one; nil for a connection that ends with its
  /// broker. Returns after the reply to `initialize`. The parameter is the time of the first loss
  /// since a broker has answered.
  package var reconnect: ((_ loss: Int64) throws(ControlError) -> ControlConnection)?

  var socket: FrameSocket
  /// The requests to send.
  var buffered: [Request] = []
  /// The requests without a reply, if ``reconnect`` is set.
  var unanswered: [Int64: Request] = [:]
  /// Those among them that the broker left to the next one.
  var postponed: Set<Int64> = []
  /// By topic or method, if ``reconnect`` is set.
  var observations: [String: Observation] = [:]
  var isResuming = false
  /// The losses since a broker has answered.
  var losses = Losses()
  /// How many times the connection has noticed the end of a broker.
  var interruptionCount = 0
  let document = JSONDocument()
  var replies: [Int64: Result<RawJSON, ControlError>] = [:]
  /// Requests whose replies have no waiter and have not come.
  var forgotten: Set<Int64> = []
  var notifications: [ControlNotification] = []
  private var newestNumber: Int64 = 0
  static let greetingNumber: Int64 = 0
  var greeting: Initialize.Reply?
  var lastWords: RemoteError?

  /// Takes over a connected socket.
  package init(
    _ socket: consuming FileDescriptor, as client: ClientName, kind: ClientKind = .control
  ) {
    self.socket = FrameSocket(socket)
    var writer = FrameWriter()
    // The client names itself, so its name is short.
    try? writer.request(.number(Self.greetingNumber), Initialize(client: client, as: kind))
    buffered.append(
      Request(number: Self.greetingNumber, message: nil, length: 0, frame: writer.take()))
  }

  /// Connects to the broker that listens at this path.
  package static func open(
    _ path: String, as client: ClientName, kind: ClientKind = .control, until deadline: Int64
  ) throws(ControlError) -> ControlConnection {
    do throws(SystemError) {
      // A timeout of zero would mean no timeout.
      let time = max(1_000_000, deadline - SystemClock.monotonic())
      return ControlConnection(
        try UnixSocket.connect(toBroker: path, within: time), as: client, kind: kind)
    } catch {
      guard error.isNotFound || error.code == .connectionRefused || error.code == .notASocket
      else { throw .system(error) }
      throw .noBroker(path: path, error)
    }
  }

  // MARK: - Asking

  /// Buffers a request. Returns the number of its reply.
  @discardableResult
  package func post(_ message: some RequestMessage) -> Int64 {
    newestNumber += 1
    note(message, newestNumber)
    buffer(message, newestNumber)
    return newestNumber
  }

  /// Buffers a request with any method and these parameters.
  @discardableResult
  package func post(method: String, params: RawJSON) -> Int64 {
    newestNumber += 1
    buffer(nil, newestNumber, method: method) { $0.raw(params) }
    return newestNumber
  }

  func buffer(_ message: any RequestMessage, _ number: Int64) {
    buffer(message, number, method: type(of: message).method.description) {
      message.write(to: &$0)
    }
  }

  private func buffer(
    _ message: (any RequestMessage)?, _ number: Int64, method: String,
    params: (inout JSONWriter) -> Void
  ) {
    var writer = FrameWriter()
    var length = 0
    do throws(FrameError) {
      try writer.request(.number(number), method: method, params: params)
      length = writer.count - FrameDecoder.headerLength
    } catch {
      if case .tooLong(let tooMuch, _) = error { length = tooMuch }
    }
    buffered.append(
      Request(number: number, message: message, length: length, frame: writer.take()))
  }

  /// The result of a buffered request, byte for byte. Each result can be taken once.
  package func result(of number: Int64, until deadline: Int64? = nil) throws(ControlError)
    -> RawJSON
  {
    try flush(until: deadline)
    while true {
      if let reply = replies.removeValue(forKey: number) { return try reply.get() }
      guard try readFrame(until: deadline) else { throw .timedOut }
    }
  }

  /// The reply has no waiter any more.
  package func forget(_ number: Int64) {
    if replies.removeValue(forKey: number) == nil { forgotten.insert(number) }
  }

  /// Whether the reply has arrived. It can still be taken.
  package func isAnswered(_ number: Int64) -> Bool { replies[number] != nil }

  /// Sends a request, and waits for the reply.
  package func request<Message: RequestMessage>(
    _ message: Message, until deadline: Int64? = nil
  ) throws(ControlError) -> Message.Reply {
    try Self.read(Message.Reply.self, from: try result(of: post(message), until: deadline))
  }

  /// The reply to `initialize`.
  package func greeting(until deadline: Int64? = nil) throws(ControlError) -> Initialize.Reply {
    if let greeting { return greeting }
    // Sending a long request can have read the reply.
    try flush(until: deadline)
    while true {
      // The next broker has greeted if one has ended meanwhile.
      if let greeting { return greeting }
      if let reply = replies.removeValue(forKey: Self.greetingNumber) {
        greeting = try Self.read(Initialize.Reply.self, from: try reply.get())
        continue
      }
      guard try readFrame(until: deadline) else { throw .timedOut }
    }
  }

  /// Reads a result as this type.
  package static func read<Value: JSONCodable>(
    _ type: Value.Type, from json: RawJSON
  ) throws(ControlError) -> Value {
    let document = try document(json)
    return try checked(Value(reading: document.root))
  }

  static func document(_ result: RawJSON) throws(ControlError) -> JSONDocument {
    let document = JSONDocument()
    try checked(document.parse(result.bytes.span))
    return document
  }

  private static func checked<Value>(
    _ value: @autoclosure () throws(MemberError) -> Value
  ) throws(ControlError) -> Value {
    do throws(MemberError) {
      return try value()
    } catch {
      throw .garbled("invalid reply: \(error)")
    }
  }

  /// Sends the buffered requests. A request that exceeds the limit of the broker is refused here,
  /// because the broker would close the connection.
  package func flush(until deadline: Int64? = nil) throws(ControlError) {
    guard !buffered.isEmpty || socket.hasUnsent else { return }
    let requests = buffered
    buffered = []
    for request in requests {
      if request.length > Self.guaranteedSize {
        let limit = try greeting(until: deadline).limits.frameBytes
        guard request.length <= limit else {
          replies[request.number] = .failure(.refused(.tooLong(request.length, limit: limit)))
          continue
        }
      }
      if reconnect != nil, request.number != Self.greetingNumber {
        unanswered[request.number] = request
      }
      socket.write(bytes: request.frame[...])
    }
    try flushSocket(until: deadline)
  }

  /// The size that every broker accepts.
  private static let guaranteedSize = 1024
}

extension RemoteError {
  /// The error that a broker would reply with.
  fileprivate static func tooLong(_ length: Int, limit: Int) -> RemoteError {
    let error = BrokerError.requestTooLong(length, limit: limit)
    var writer = JSONWriter()
    error.write(to: &writer)
    return RemoteError(
      code: error.reason.code, reason: error.reason.name, message: error.message,
      retry: error.retry, json: RawJSON(unchecked: writer.bytes))
  }
}
