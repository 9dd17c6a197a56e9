import SceneJSON
import SceneModel
import SceneWire
import Testing

/// Messages that are written are read as the same messages.
struct FrameWriterTests {
  private let session = SessionIdentifier(high: 1, low: 2)

  /// A line for each frame that a writer wrote.
  private func envelopes(_ write: (inout FrameWriter) throws -> Void) throws -> [String] {
    var writer = FrameWriter()
    try write(&writer)
    #expect(writer.count == writer.bytes.count)
    var decoder = FrameDecoder(limit: 1 << 20)
    let frames = try decoder.frames(in: writer.take())
    #expect(!decoder.isWithinFrame)
    #expect(writer.count == 0)
    return frames.map { envelope($0) }
  }

  @Test("every kind of message from a broker is read as it was written")
  func broker() throws {
    let error = BrokerError(.noHost, "no \"host\"")
    let object =
      #"{"code":1008,"message":"no \"host\"","data":{"reason":"noHost","retry":"later"}}"#
    let found = try envelopes { writer in
      writer.reply(.number(1), .empty)
      writer.reply(.string("a\"b"), BrokerReply(SaveActivity.Reply(generation: 4)))
      writer.error(.number(2), error)
      writer.callback(3, Callback(.didBecomeActive, of: session))
      writer.notification(.phaseChanged(.active))
    }
    #expect(
      found == [
        "result 1 {}", #"result 'a"b' {"generation":4}"#, "failure 2 \(object)",
        #"request 3 scene/didBecomeActive {"session":"\#(session)"}"#,
        #"request application/phaseChanged {"phase":"active"}"#,
      ])
  }

  @Test("a request that is too long is not written, and the requests around it are")
  func limit() throws {
    let found = try envelopes { writer in
      try writer.request(.number(1), Ping())
      let message = SceneConnect(name: String(repeating: "x", count: 100))
      #expect(throws: FrameError.tooLong(170, limit: 169)) {
        try writer.request(.number(2), message, limit: 169)
      }
      #expect(throws: Never.self) { try writer.request(.number(3), Ping(), limit: 169) }
    }
    #expect(found == ["request 1 broker/ping {}", "request 3 broker/ping {}"])
  }

  @Test("an error replaces a message that is longer than a frame")
  func tooLong() throws {
    var event = EventPosted()
    event.topic = String(repeating: "x", count: FrameDecoder.longestFrame)
    let found = try envelopes { writer in
      writer.reply(.number(1), BrokerReply(DataDirectory.Reply(path: event.topic)))
      writer.notification(.posted(event))
      writer.reply(.number(2), .empty)
    }
    #expect(found.count == 3)
    #expect(found[0].hasPrefix(#"failure 1 {"code":1012,"message":"the message has 167"#))
    // An error without a request has no identifier.
    #expect(found[1].hasSuffix("found null"))
    #expect(found[2] == "result 2 {}")
  }

  @Test("an error for a message without an identifier has the identifier null")
  func noIdentifier() throws {
    var writer = FrameWriter()
    writer.error(nil, BrokerError(.parseError, "x"))
    let content = String(decoding: writer.bytes.dropFirst(4), as: UTF8.self)
    #expect(content.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
  }

  @Test("every kind of message from a client is read as it was written")
  func client() throws {
    let found = try envelopes { writer in
      try writer.request(.number(1), Ping())
      try writer.request(nil, SessionShow(name: "a"))
      try writer.request(.string("x"), method: "no/such") { $0.bool(true) }
      writer.answer(.number(5), StateRestorationAnswer(activity: .null))
      writer.answer(.number(6), Empty())
      writer.failure(.number(7), code: -32601, message: "no\n")
    }
    #expect(
      found == [
        "request 1 broker/ping {}", #"request session/show {"name":"a"}"#,
        "request 'x' no/such true", #"result 5 {"activity":null}"#, "result 6 {}",
        #"failure 7 {"code":-32601,"message":"no\n"}"#,
      ])
  }

  @Test("a request that is written is read as the same")
  func request() throws {
    let message = SceneConnect(name: "packing", title: "é\"\u{1}", userInfo: .empty)
    var writer = FrameWriter()
    try writer.request(.number(1), message)
    var decoder = FrameDecoder()
    let frames = try decoder.frames(in: writer.take())
    let document = JSONDocument()
    let frame = try #require(frames.first)
    let envelope = try Envelope(frame.span, into: document)
    guard case .request(.number(1), let method, let params) = envelope else {
      Issue.record("no request was written")
      return
    }
    #expect(method.equals(SceneConnect.method))
    #expect(try SceneConnect.read(params) == message)
  }

  @Test(
    "the length in three bytes counts the content", arguments: [1, 200, 300, 70_000])
  func length(count: Int) throws {
    var writer = FrameWriter()
    writer.reply(.number(1), .empty)
    let before = writer.count
    try writer.request(.number(1), ReturnError(reason: String(repeating: "x", count: count)))
    let header = Bytes(writer.bytes[before..<before + 4])
    let length = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
    #expect(header[0] == 0)
    #expect(length == writer.count - before - 4)
  }

  @Test("a line break or a zero in a text does not end a frame")
  func escapes() throws {
    let found = try envelopes { writer in
      try writer.request(.number(1), ReturnError(reason: "\n\u{0}\u{1F}\"\\"))
      try writer.request(.number(2), Ping())
    }
    #expect(found.count == 2)
    #expect(found.last == "request 2 broker/ping {}")
  }

  @Test("a writer keeps its memory when its content is removed")
  func reuse() throws {
    var writer = FrameWriter()
    try writer.request(.number(1), Ping())
    let capacity = writer.capacity
    writer.removeAll()
    #expect(writer.count == 0)
    #expect(writer.capacity == capacity)
    try writer.request(.number(2), Ping())
    var decoder = FrameDecoder(limit: 1 << 20)
    #expect(
      try decoder.frames(in: writer.bytes).map { envelope($0) } == ["request 2 broker/ping {}"])
  }

  @Test("a request of exactly the limit is written, and a longer one is refused and leaves nothing")
  func requestLimit() throws {
    var writer = FrameWriter()
    try writer.request(.number(1), Ping(), limit: 1 << 20)
    let written = writer.bytes
    let length = written.count - FrameDecoder.headerLength
    writer = FrameWriter()
    #expect(throws: FrameError.tooLong(length, limit: length - 1)) {
      try writer.request(.number(1), Ping(), limit: length - 1)
    }
    #expect(writer.bytes.isEmpty)
    try writer.request(.number(1), Ping(), limit: length)
    #expect(writer.bytes == written)
  }

  @Test("sent bytes are removed from the front, and an access begins at any offset")
  func partly() throws {
    var writer = FrameWriter()
    try writer.request(.number(1), Ping())
    let count = writer.count
    try writer.request(.number(2), Ping())
    let rest = Bytes(writer.bytes[count...])
    let lent = writer.withBytes(from: count) { $0.byteCount }
    #expect(lent == rest.count)
    writer.removeFirst(count)
    #expect(writer.bytes == rest)
  }

  @Test("an error is read as it was written, also from a broker that sends fewer members")
  func refusal() throws {
    var writer = FrameWriter()
    writer.error(.number(1), BrokerError(.sessionInUse, "held", retry: .now))
    let document = JSONDocument()
    guard
      case .failure(_, let error) = try Envelope(
        Bytes(writer.bytes.dropFirst(4)).span, into: document)
    else {
      Issue.record("no error was written")
      return
    }
    let refusal = RemoteError(reading: error)
    #expect(refusal.is(.sessionInUse))
    #expect(refusal.code == 1005)
    #expect(refusal.message == "held")
    #expect(refusal.retry == .now)
    let plain = JSONDocument()
    try plain.read(#"{"code":7}"#.utf8)
    let less = RemoteError(reading: plain.root)
    #expect([less.reason, less.message, "\(less.retry)"] == ["error 7", "error 7", "never"])
  }
}
