package import JSON
package import SceneModel
package import ScenePlatform
import SceneTransport
package import SceneWire

/// A connection for a program that asks one thing after another and waits for each answer.
///
/// It blocks, and it is used by one thread. Requests are only gathered until an answer is waited
/// for: `initialize` and the first of them leave in one write. What the broker tells meanwhile is
/// kept, in order, until it is asked for.
///
/// Deadlines are times of ``SystemClock/monotonic()``; without one it waits for as long as the
/// connection lasts.
package final class ControlConnection {
  /// Shown the content of each frame, as it leaves or as it is read.
  package var onFrame: ((FrameDirection, ContiguousArray<UInt8>) -> Void)? {
    get { socket.onFrame }
    set { socket.onFrame = newValue }
  }

  /// Called once, when an answer has been waited for so long that a person may wonder.
  package var onLongWait: (() -> Void)?

  /// By then whatever is waited for has timed out, whether or not it had a deadline of its own.
  package var horizon: Int64?

  /// Asked now and then while an answer is waited for. Once it says that none can come, the wait is
  /// over as at the horizon.
  package var isFutile: (() -> Bool)?

  let socket: FrameSocket
  var outgoing = FrameWriter()
  /// Of what was gathered, the requests that a broker may find too long, in order.
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
      // No time at all would stand for as much as it takes.
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

  /// Gathers a request; the number is for waiting for its answer.
  @discardableResult
  package func post<Message: RequestMessage>(_ message: Message) -> Int64 {
    post(method: Message.method.description) { message.write(to: &$0) }
  }

  /// Gathers a request of any name, with the parameters as they are to stand on the wire.
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
    if length > LongRequest.surelyTaken {
      long.append(
        LongRequest(number: newestNumber, length: length, place: start..<outgoing.count))
    }
    return newestNumber
  }

  /// The result of a gathered request, byte for byte. Each can be waited for once.
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

  /// Whether the request's answer has come; it stays to be waited for.
  package func isAnswered(_ number: Int64) -> Bool { replies[number] != nil }

  /// Asks, and waits for the answer.
  package func request<Message: RequestMessage>(
    _ message: Message, until deadline: Int64? = nil
  ) throws(ControlError) -> Message.Reply {
    try Self.read(Message.Reply.self, from: try result(of: post(message), until: deadline))
  }

  /// What the broker said of itself; asked for if it has not been said yet.
  package func broker(until deadline: Int64? = nil) throws(ControlError) -> Initialize.Reply {
    if let greeting { return greeting }
    // What is long waits for it, and so may have read it.
    try flush(until: deadline)
    if let greeting { return greeting }
    let said = try Self.read(
      Initialize.Reply.self, from: try result(of: greetingNumber, until: deadline))
    greeting = said
    return said
  }

  /// Reads a result as what it is known to be.
  package static func read<Value: JSONCodable>(
    _ type: Value.Type, from json: RawJSON
  ) throws(ControlError) -> Value {
    let document = try document(json)
    do throws(MemberError) {
      return try Value(reading: document.root)
    } catch {
      throw unreadable(error)
    }
  }

  static func document(_ result: RawJSON) throws(ControlError) -> JSONDocument {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(result.bytes.span)
      return document
    } catch {
      throw unreadable(error)
    }
  }

  private static func unreadable(_ error: some Error) -> ControlError {
    .garbled("invalid reply: \(error)")
  }

  /// Sends what was gathered.
  ///
  /// A request that is longer than the broker takes is answered here: sent, it would be the end of
  /// the connection.
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
