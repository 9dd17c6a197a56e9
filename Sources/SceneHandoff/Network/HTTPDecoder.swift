/// Cuts the bytes of a connection into replies of HTTP/1.1.
package struct HTTPDecoder {
  package enum Event: Equatable {
    /// A whole reply.
    case reply(status: Int, body: ContiguousArray<UInt8>)
    /// A line of a streaming reply, without its end.
    case line(ContiguousArray<UInt8>)
    /// The end of a streaming reply.
    case end
  }

  private enum State {
    case head
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers
  }

  /// Whether a reply with the status 200 is a stream of lines.
  private let streams: Bool
  private var state = State.head
  private var input: ContiguousArray<UInt8> = []
  /// Bytes before this position were decoded.
  private var start = 0
  private var status = 0
  private var body: ContiguousArray<UInt8> = []

  private static let headLimit = 16 << 10
  private static let bodyLimit = 64 << 20
  private static let lineLimit = 16 << 20

  package init(streams: Bool = false) { self.streams = streams }

  /// Whether the connection can end here without a loss.
  package var isBetweenReplies: Bool {
    if case .head = state { return start == input.count }
    return false
  }

  package mutating func add(_ bytes: some Collection<UInt8>) {
    input.removeFirst(start)
    start = 0
    input.append(contentsOf: bytes)
  }

  /// The next event; nil if more bytes are necessary.
  package mutating func next() throws(EngineError) -> Event? {
    while true {
      switch state {
      case .head:
        guard let next = try readHead() else { return nil }
        state = next
      case .body(let left):
        state = .body(left: take(left))
        guard case .body(left: 0) = state else { return nil }
        return finish()
      case .chunkSize:
        guard let line = try readLine(limit: 64, "the size of a chunk") else { return nil }
        guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
          throw .notEtcd("invalid size of a chunk")
        }
        try Self.check(body.count, adding: size, Self.bodyLimit)
        state = size == 0 ? .trailers : .chunk(left: size)
      case .chunk(let left):
        let rest = take(left)
        state = rest == 0 ? .chunkEnd : .chunk(left: rest)
        if let line = takeLine() { return .line(line) }
        if isStream { try Self.check(body.count, Self.lineLimit) }
        if rest > 0 { return nil }
      case .chunkEnd:
        if let line = takeLine() { return .line(line) }
        guard let line = try readLine(limit: 2, "the end of a chunk") else { return nil }
        guard line.isEmpty else { throw .notEtcd("invalid end of a chunk") }
        state = .chunkSize
      case .trailers:
        guard let line = try readLine(limit: Self.headLimit, "a trailer") else { return nil }
        if line.isEmpty { return finish() }
      }
    }
  }

  private static func check(
    _ count: Int, adding more: Int = 0, _ limit: Int, _ what: String = "the reply"
  ) throws(EngineError) {
    guard more <= limit - count else { throw .notEtcd("\(what) exceeds \(limit) bytes") }
  }

  private var isStream: Bool { streams && status == 200 }

  private mutating func finish() -> Event {
    state = .head
    defer { body = [] }
    return isStream ? .end : .reply(status: status, body: body)
  }

  /// Moves at most `count` bytes to the body. Returns the number of those that have not arrived.
  private mutating func take(_ count: Int) -> Int {
    let arrived = min(count, input.count - start)
    body.append(contentsOf: input[start..<(start + arrived)])
    start += arrived
    return count - arrived
  }

  /// The next line of a stream; nil if it is not complete.
  private mutating func takeLine() -> ContiguousArray<UInt8>? {
    guard isStream, let end = body.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = ContiguousArray(body[..<end])
    body.removeFirst(end + 1)
    return line
  }

  /// The next line of the input without its end; nil if it is not complete.
  private mutating func readLine(limit: Int, _ what: String) throws(EngineError) -> String? {
    let end = input[start...].firstIndex(of: UInt8(ascii: "\n"))
    try Self.check((end ?? input.count) - start, limit, what)
    guard let end else { return nil }
    let line = String(decoding: input[start..<end], as: UTF8.self)
    start = end + 1
    return line.hasSuffix("\r") ? String(line.dropLast()) : line
  }

  /// The state that reads the body; nil if the head is not complete.
  private mutating func readHead() throws(EngineError) -> State? {
    let begin = start
    var next: State?
    status = 0
    while let line = try readLine(limit: Self.headLimit, "the head") {
      try Self.check(start - begin, Self.headLimit, "the head")
      if status == 0 {
        let words = line.split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let code = Int(words[1]),
          100...599 ~= code
        else { throw .notEtcd("the reply is not HTTP/1.1") }
        status = code
        continue
      }
      if line.isEmpty {
        guard let next else { throw .notEtcd("a reply with status \(status) has no length") }
        return next
      }
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].drop { $0 == " " }
      switch parts[0].lowercased() {
      case "transfer-encoding" where value.lowercased() == "chunked": next = .chunkSize
      case "content-length":
        guard let count = Int(value), count >= 0 else { throw .notEtcd("invalid length") }
        try Self.check(count, Self.bodyLimit)
        next = next ?? .body(left: count)
      default: continue
      }
    }
    start = begin
    return nil
  }
}
