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

  let socket: FrameSocket
  var outgoing = FrameWriter()
  /// The buffered requests that can exceed the limit of a broker, in order.
  private var long: [LongRequest] = []
  let document = JSONDocument()
  var replies: [Int64: Reply] = [:]
  /// Requests whose replies have no waiter and have not come.
  var forgotten: Set<Int64> = []
  var notifications: [ControlNotification] = []
  private var newestNumber: Int64 = 0
  let greetingNumber: Int64
  private(set) var greeting: Initialize.Reply?
  var lastWords: RemoteError?

  enum Reply {
    case result(RawJSON)
    case refusal(RemoteError)
  }

  /// Takes over a connected socket.
  package init(
    _ socket: consuming FileDescriptor, as client: ClientName, kind: ClientKind = .control
  ) {
    self.socket = FrameSocket(socket)
    greetingNumber = 0
    outgoing.request(.number(greetingNumber), Initialize(client: client, as: kind))
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
  package func post<Message: RequestMessage>(_ message: Message) -> Int64 {
    post(method: Message.method.description) { message.write(to: &$0) }
  }

  /// Buffers a request with any method and these parameters.
  @discardableResult
  package func post(method: String, params: RawJSON) -> Int64 {
    post(method: method) { $0.raw(params) }
  }

  private func post(method: String, params: (inout JSONWriter) -> Void) -> Int64 {
    newestNumber += 1
    let start = outgoing.count
    var length = 0
    do throws(FrameError) {
      try outgoing.request(
        .number(newestNumber), method: method, limit: FrameDecoder.longestFrame, params: params)
      length = outgoing.count - start - FrameDecoder.headerLength
    } catch {
      if case .tooLong(let tooMuch, _) = error { length = tooMuch }
    }
    if length > LongRequest.guaranteedSize {
      long.append(
        LongRequest(number: newestNumber, length: length, place: start..<outgoing.count))
    }
    return newestNumber
  }

  /// The result of a buffered request, byte for byte. Each result can be taken once.
  package func result(of number: Int64, until deadline: Int64? = nil) throws(ControlError)
    -> RawJSON
  {
    try flush(until: deadline)
    while true {
      if let reply = replies.removeValue(forKey: number) {
        switch reply {
        case .result(let json): return json
        case .refusal(let refusal): throw .refused(refusal)
        }
      }
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
  package func broker(until deadline: Int64? = nil) throws(ControlError) -> Initialize.Reply {
    if let greeting { return greeting }
    // Sending a long request can have read the reply.
    try flush(until: deadline)
    if let greeting { return greeting }
    let said = try Self.read(
      Initialize.Reply.self, from: try result(of: greetingNumber, until: deadline))
    greeting = said
    return said
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
    guard outgoing.count > 0 || !long.isEmpty || socket.hasUnsent else { return }
    let bytes = outgoing.take()
    let requests = long
    long = []
    guard let first = requests.first else { return try send(bytes[...], until: deadline) }
    try send(bytes[..<first.place.lowerBound], until: deadline)
    let limit = try broker(until: deadline).limits.frameBytes
    var start = first.place.lowerBound
    for request in requests where request.place.isEmpty || request.length > limit {
      try send(bytes[start..<request.place.lowerBound], until: deadline)
      start = request.place.upperBound
      replies[request.number] = .refusal(.tooLong(request.length, limit: limit))
    }
    try send(bytes[start...], until: deadline)
  }
}
