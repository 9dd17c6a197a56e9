package import JSON
package import SceneModel
package import ScenePlatform
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
  package var onFrame: ((FrameDirection, ContiguousArray<UInt8>) -> Void)?

  /// Called once, when an answer has been waited for so long that a person may wonder.
  package var onLongWait: (() -> Void)?
  private static var longWait: Int64 { 200_000_000 }

  /// By then whatever is waited for has timed out, whether or not it had a deadline of its own.
  package var horizon: Int64?

  private let socket: FileDescriptor
  private var outgoing = FrameWriter()
  /// Of what was gathered, the requests that a broker may find too long, in order.
  private var long: [LongRequest] = []
  private var decoder = FrameDecoder()
  private let buffer = InputBuffer()
  /// Frames that have come and were not looked at, the next one first.
  private var frames: [ContiguousArray<UInt8>] = []
  private let document = JSONDocument()
  private var replies: [Int64: Reply] = [:]
  private var notifications: [ControlNotification] = []
  private var newestNumber: Int64 = 0
  private let greetingNumber: Int64
  private var greeting: Initialize.Reply?
  private var lastWords: Refusal?

  private enum Reply {
    case result(RawJSON)
    case refusal(Refusal)
  }

  /// Takes over a connected socket that blocks.
  package init(
    _ socket: consuming FileDescriptor, as client: ClientName, kind: ClientKind = .control
  ) {
    self.socket = socket
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
        try UnixSocket.connect(to: path, within: time), as: client, kind: kind)
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
    .garbled("a reply that cannot be read: \(error)")
  }

  // MARK: - Being told

  /// The next thing the broker tells; nil when the deadline came first.
  package func nextNotification(
    until deadline: Int64? = nil
  ) throws(ControlError) -> ControlNotification? {
    try flush(until: deadline)
    while notifications.isEmpty {
      guard try readFrame(until: deadline) else { return nil }
    }
    return notifications.removeFirst()
  }

  /// What the broker tells next, one thing or several, for as long as somebody reads what is
  /// written to a stream: then it is nil.
  package func nextNotifications(
    whileRead stream: StandardStream
  ) throws(ControlError) -> [ControlNotification]? {
    try flush()
    while true {
      let told = try takeNotifications()
      if !told.isEmpty { return told }
      let isRead = try system { () throws(SystemError) in
        try socket.waitReadable(whileRead: stream)
      }
      guard isRead else { return nil }
      _ = try receive(until: nil)
    }
  }

  /// What the broker has told so far, without waiting.
  package func takeNotifications() throws(ControlError) -> [ControlNotification] {
    while !frames.isEmpty { try take(frames.removeFirst()) }
    defer { notifications = [] }
    return notifications
  }

  /// Returns when the broker has closed the connection; false when the deadline came first.
  package func waitForEnd(until deadline: Int64? = nil) throws(ControlError) -> Bool {
    do throws(ControlError) {
      try flush(until: deadline)
      while try readFrame(until: deadline) {}
      return false
    } catch .lost {
      return true
    }
  }

  /// Waits for a while, and keeps what the broker tells meanwhile.
  package func pause(nanoseconds: Int64) throws(ControlError) {
    let end = SystemClock.monotonic() + nanoseconds
    while try readFrame(until: end) {}
  }

  /// For tests: sends the first half of a request, and then nothing any more. Returns when the
  /// broker has closed the connection.
  package func breakOff(
    in message: some RequestMessage, until deadline: Int64? = nil
  ) throws(ControlError) {
    try flush(until: deadline)
    post(message)
    let bytes = outgoing.take()
    // A frame of a few bytes finds room.
    _ = bytes.withUnsafeBytes {
      socket.send(UnsafeRawBufferPointer(rebasing: $0[..<($0.count / 2)]))
    }
    try system { () throws(SystemError) in try socket.endSending() }
    guard try waitForEnd(until: deadline) else { throw .timedOut }
  }

  // MARK: - The wire

  /// Sends what was gathered.
  ///
  /// A request that is longer than the broker takes is answered here: sent, it would be the end of
  /// the connection.
  package func flush(until deadline: Int64? = nil) throws(ControlError) {
    guard outgoing.count > 0 || !long.isEmpty else { return }
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

  private func send(_ bytes: ArraySlice<UInt8>, until deadline: Int64?) throws(ControlError) {
    show(bytes)
    var sent = 0
    while sent < bytes.count {
      let outcome = bytes.withUnsafeBytes { whole in
        socket.send(UnsafeRawBufferPointer(rebasing: whole[sent...]), waits: false)
      }
      switch outcome {
      case .bytes(let count): sent += count
      case .wouldBlock:
        let left = deadline.map { max(0, $0 - SystemClock.monotonic()) }
        let isWritable = try system { () throws(SystemError) in
          try socket.waitWritable(nanoseconds: left)
        }
        guard isWritable else { throw .timedOut }
      case .failed(let code):
        // The broker may have said why before it closed: that is found when the answer is read.
        guard code.isDisconnected else { throw .system(SystemError(call: "send", code: code)) }
        return
      }
    }
  }

  /// Takes one frame, reading when none is there; false when the deadline came first.
  private func readFrame(until deadline: Int64?) throws(ControlError) -> Bool {
    while frames.isEmpty {
      guard try receive(until: deadline) else { return false }
    }
    try take(frames.removeFirst())
    return true
  }

  private func receive(until deadline: Int64?) throws(ControlError) -> Bool {
    let limits = [deadline, horizon].compactMap { $0 }
    if let onLongWait {
      let left = limits.min().map { max(0, $0 - SystemClock.monotonic()) } ?? .max
      let isReadable = try system { () throws(SystemError) in
        try socket.waitReadable(nanoseconds: min(left, Self.longWait))
      }
      if !isReadable, left > Self.longWait {
        self.onLongWait = nil
        onLongWait()
      }
    }
    if let limit = limits.min() {
      let left = max(0, limit - SystemClock.monotonic())
      let isReadable = try system { () throws(SystemError) in
        try socket.waitReadable(nanoseconds: left)
      }
      if !isReadable, limit == horizon { throw .timedOut }
      guard isReadable else { return false }
    }
    switch socket.receive(into: buffer.bytes) {
    case .bytes(let count):
      try decode(count)
    case .wouldBlock:
      _ = try system { () throws(SystemError) in try socket.waitReadable() }
    case .end:
      throw end()
    case .failed(let code):
      guard code.isDisconnected else { throw .system(SystemError(call: "recv", code: code)) }
      throw end()
    }
    return true
  }

  private func decode(_ count: Int) throws(ControlError) {
    do throws(FrameError) {
      try buffer.withSpan(of: count) { bytes throws(FrameError) in
        try decoder.decode(bytes) { content in
          frames.append(content.withUnsafeBufferPointer { ContiguousArray($0) })
          return true
        }
      }
    } catch {
      throw .garbled(error.description)
    }
  }

  private func take(_ frame: ContiguousArray<UInt8>) throws(ControlError) {
    onFrame?(.received, frame)
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(frame.span, into: document)
    } catch {
      guard let farewell = error.farewell else { throw .garbled(error.error.message) }
      lastWords = farewell
      return
    }
    switch envelope {
    case .result(.number(let number), let result):
      replies[number] = .result(result.raw)
    case .failure(.number(let number), let error):
      replies[number] = .refusal(Refusal(reading: error))
    case .result(.string, _), .failure(.string, _):
      throw .garbled("a reply to a request that was never made")
    case .request(nil, let method, let params):
      notifications.append(
        ControlNotification(method: method.string ?? "", params: params?.raw ?? .emptyObject))
    case .request(let identifier?, let method, _):
      // A control makes no scenes, so it has no callbacks.
      outgoing.failure(
        identifier, code: ErrorReason.methodNotFound.code,
        message: "\((method.string ?? "").clipped(to: 100)) means nothing to a control")
      try flush()
    }
  }

  /// Why nothing more comes. A client that is not welcome is told so in reply to its `initialize`,
  /// or before that is read.
  private func end() -> ControlError {
    switch replies[greetingNumber] {
    case .refusal(let refusal): .refused(refusal)
    case nil where greeting == nil: lastWords.map { .refused($0) } ?? .lost(lastWords: nil)
    case .result, nil: .lost(lastWords: lastWords?.message)
    }
  }

  private func show(_ bytes: ArraySlice<UInt8>) {
    guard let onFrame else { return }
    var decoder = FrameDecoder()
    do throws(FrameError) {
      try decoder.decode(bytes.span) { content in
        onFrame(.sent, content.withUnsafeBufferPointer { ContiguousArray($0) })
        return true
      }
    } catch {
      preconditionFailure("frames of our own: \(error)")
    }
  }

  private func system<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(ControlError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
