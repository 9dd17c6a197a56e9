package import SceneJSON
package import SceneModel

/// Writes messages as frames into one buffer.
package struct FrameWriter: ~Copyable {
  private var writer = JSONWriter()

  package init() {}

  /// A copy of all bytes in the buffer.
  package var bytes: ContiguousArray<UInt8> { writer.bytes }
  package var count: Int { writer.output.count }
  package var capacity: Int { writer.output.capacity }

  /// Returns all bytes and empties the buffer. The memory stays.
  package mutating func take() -> ContiguousArray<UInt8> {
    defer { removeAll() }
    return writer.bytes
  }

  /// Empties the buffer. The memory stays.
  package mutating func removeAll() { writer.removeAll() }

  /// Drops the first bytes.
  package mutating func removeFirst(_ count: Int) { writer.output.removeFirst(count) }

  /// The end of the frame that begins at an offset.
  package func endOfFrame(at offset: Int) -> Int {
    writer.output.withBytes(from: offset) { bytes in
      let length = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
      return offset + FrameDecoder.headerLength + length
    }
  }

  /// Passes all bytes from an offset to `body`.
  package func withBytes<Result>(
    from offset: Int, _ body: (RawSpan) -> Result
  ) -> Result {
    writer.output.withBytes(from: offset) { unsafe body($0.bytes) }
  }

  // MARK: - What a broker says

  package mutating func reply(_ identifier: RequestIdentifier, _ reply: BrokerReply) {
    frame(replyingTo: identifier) { writer in
      writer.name("id")
      identifier.write(to: &writer)
      writer.name("result")
      reply.content.write(to: &writer)
    }
  }

  /// Without an identifier if the request has no readable one.
  package mutating func error(_ identifier: RequestIdentifier?, _ error: BrokerError) {
    frame { writer in
      writer.name("id")
      if let identifier { identifier.write(to: &writer) } else { writer.null() }
      writer.name("error")
      error.write(to: &writer)
    }
  }

  package mutating func callback(_ number: Int64, _ callback: Callback) {
    frame { writer in
      writer.name("id")
      writer.integer(number)
      writer.name("method")
      writer.string(callback.kind.method)
      writer.name("params")
      callback.message.write(to: &writer)
    }
  }

  package mutating func notification(_ notification: BrokerNotification) {
    let (method, params) = notification.message
    frame { writer in
      writer.name("method")
      writer.string(method)
      writer.name("params")
      params.write(to: &writer)
    }
  }

  /// Writes an event for an observation of a connection. Returns the offset of the first parameter.
  /// From there on, the frame for an observation of a scene has the same bytes.
  package mutating func event(_ event: EventPosted) -> Int {
    var offset = 0
    frame { writer in
      writer.name("method")
      writer.string(Self.eventMethod)
      writer.name("params")
      writer.beginObject()
      offset = writer.output.count
      event.writeMembers(to: &writer)
      writer.endObject()
    }
    return offset
  }

  /// Writes the part of a frame that precedes those bytes, for an observation of a scene.
  package mutating func beginEvent(of session: SessionIdentifier, restByteCount: Int) {
    let start = writer.output.count
    writer.output.append(UInt32(0))
    writer.beginObject(with: #""jsonrpc":"2.0""#)
    writer.name("method")
    writer.string(Self.eventMethod)
    writer.name("params")
    writer.beginObject()
    writer.name("session")
    session.write(to: &writer)
    writer.output.append(UInt8(ascii: ","))
    let end = writer.output.count
    writer.output.set(UInt32(end - start - FrameDecoder.headerLength + restByteCount), at: start)
    // The other bytes close the objects.
    writer.truncate(to: end)
  }

  /// Appends bytes of another writer.
  package mutating func append(_ range: Range<Int>, of other: borrowing FrameWriter) {
    other.writer.output.withBytes(from: range.lowerBound) { bytes in
      writer.output.append(contentsOf: bytes.extracting(first: range.count))
    }
  }

  private static let eventMethod: StaticString = "event/posted"

  // MARK: - What a client says

  /// Writes a request, unless it is longer than `limit`.
  package mutating func request<Message: RequestMessage>(
    _ identifier: RequestIdentifier?, _ message: Message, limit: Int = FrameDecoder.longestFrame
  ) throws(FrameError) {
    try request(identifier, method: Message.method.description, limit: limit) {
      message.write(to: &$0)
    }
  }

  /// Writes a request of any method, unless it is longer than `limit`. The caller writes the
  /// parameters.
  package mutating func request(
    _ identifier: RequestIdentifier?, method: String, limit: Int = FrameDecoder.longestFrame,
    params: (inout JSONWriter) -> Void
  ) throws(FrameError) {
    let start = writer.output.count
    let length = write { writer in
      if let identifier {
        writer.name("id")
        identifier.write(to: &writer)
      }
      writer.name("method")
      writer.string(method)
      writer.name("params")
      params(&writer)
    }
    let limit = min(limit, FrameDecoder.longestFrame)
    guard length <= limit else {
      writer.output.truncate(to: start)
      throw .tooLong(length, limit: limit)
    }
    writer.output.set(UInt32(length), at: start)
  }

  /// Writes the reply to a callback.
  package mutating func answer(_ identifier: RequestIdentifier, _ result: some JSONCodable) {
    frame { writer in
      writer.name("id")
      identifier.write(to: &writer)
      writer.name("result")
      result.write(to: &writer)
    }
  }

  /// Writes the error reply to a callback.
  package mutating func failure(
    _ identifier: RequestIdentifier, code: Int64, message: String
  ) {
    frame { writer in
      writer.name("id")
      identifier.write(to: &writer)
      writer.name("error")
      writer.beginObject()
      writer.name("code")
      writer.integer(code)
      writer.name("message")
      writer.string(message)
      writer.endObject()
    }
  }

  // MARK: - The frame

  /// The limits keep messages below the length of a frame. An error replaces a message that is
  /// longer.
  private mutating func frame(
    replyingTo request: RequestIdentifier? = nil, _ body: (inout JSONWriter) -> Void
  ) {
    let start = writer.output.count
    let length = write(body)
    guard length <= FrameDecoder.longestFrame else {
      writer.truncate(to: start)
      return error(request, .messageTooLong(length))
    }
    writer.output.set(UInt32(length), at: start)
  }

  /// Writes a frame without its length, and returns the length.
  private mutating func write(_ body: (inout JSONWriter) -> Void) -> Int {
    let start = writer.output.count
    writer.output.append(UInt32(0))
    writer.beginObject(with: #""jsonrpc":"2.0""#)
    body(&writer)
    writer.endObject()
    return writer.output.count - start - FrameDecoder.headerLength
  }
}

extension BrokerError {
  fileprivate static func messageTooLong(_ length: Int) -> BrokerError {
    BrokerError(
      .tooLarge,
      "the message has \(length) bytes; a frame has at most \(FrameDecoder.longestFrame)")
  }

  /// The error for a request that is too long. The client throws it, because the broker would close
  /// the connection.
  package static func requestTooLong(_ length: Int, limit: Int) -> BrokerError {
    BrokerError(
      .tooLarge, "the request has \(length) bytes; the limit of the broker is \(limit)")
  }
}
