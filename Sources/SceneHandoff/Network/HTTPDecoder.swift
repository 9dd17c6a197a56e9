/// A reply that is not valid HTTP/1.1, or exceeds a limit.
package struct HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

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
  /// No line end is in `input[start..<searched]`.
  private var searched = 0
  private var status = 0
  private var body: ContiguousArray<UInt8> = []

  package static let headLimit = 16 << 10
  package static let bodyLimit = 64 << 20
  package static let lineLimit = 16 << 20

  package init(streams: Bool = false) { self.streams = streams }

  /// Whether the connection can end here without a loss.
  package var isBetweenReplies: Bool {
    if case .head = state { return start == input.count }
    return false
  }

  package mutating func add(_ bytes: some Collection<UInt8>) {
    input.removeFirst(start)
    searched -= start
    start = 0
    input.append(contentsOf: bytes)
  }

  /// The next event; nil if more bytes are necessary.
  package mutating func next() throws(HTTPError) -> Event? {
    while true {
      switch state {
      case .head:
        guard let head = try readHead() else { return nil }
        (status, state) = head
        if case .body(left: 0) = state { return finish() }
      case .body(let left):
        let count = take(left)
        state = .body(left: left - count)
        guard count == left else { return nil }
        return finish()
      case .chunkSize:
        guard let line = try readLine(limit: 64, "the size of a chunk") else { return nil }
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
          throw HTTPError("invalid size of a chunk")
        }
        guard size <= Self.bodyLimit - body.count else { throw Self.tooLong(Self.bodyLimit) }
        state = size == 0 ? .trailers : .chunk(left: size)
      case .chunk(let left):
        let count = take(left)
        state = count == left ? .chunkEnd : .chunk(left: left - count)
        if isStream {
          if let line = takeLine() { return .line(line) }
          guard body.count <= Self.lineLimit else { throw Self.tooLong(Self.lineLimit) }
        }
        if count < left { return nil }
      case .chunkEnd:
        if isStream, let line = takeLine() { return .line(line) }
        guard let line = try readLine(limit: 2, "the end of a chunk") else { return nil }
        guard line.isEmpty else { throw HTTPError("invalid end of a chunk") }
        state = .chunkSize
      case .trailers:
        guard let line = try readLine(limit: Self.headLimit, "a trailer") else { return nil }
        if line.isEmpty { return finish() }
      }
    }
  }

  private static func tooLong(_ limit: Int) -> HTTPError {
    HTTPError("the reply exceeds \(limit) bytes")
  }

  private var isStream: Bool { streams && status == 200 }

  private mutating func finish() -> Event {
    state = .head
    defer { body = [] }
    return isStream ? .end : .reply(status: status, body: body)
  }

  /// Moves at most `limit` bytes to the body.
  private mutating func take(_ limit: Int) -> Int {
    let count = min(limit, input.count - start)
    body.append(contentsOf: input[start..<(start + count)])
    start += count
    searched = start
    return count
  }

  private mutating func takeLine() -> ContiguousArray<UInt8>? {
    guard let end = body.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = ContiguousArray(body[..<end])
    body.removeFirst(end + 1)
    return line
  }

  /// The next line of the input without its end; nil if it is not complete.
  private mutating func readLine(
    limit: Int, _ what: String
  ) throws(HTTPError) -> ArraySlice<UInt8>? {
    guard let end = input[max(searched, start)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = input.count
      guard input.count - start <= limit else { throw HTTPError("\(what) exceeds \(limit) bytes") }
      return nil
    }
    var line = ArraySlice(input[start..<end])
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count <= limit else { throw HTTPError("\(what) exceeds \(limit) bytes") }
    start = end + 1
    searched = start
    return line
  }

  /// The status, and the state that reads the body; nil if the head is not complete.
  private mutating func readHead() throws(HTTPError) -> (Int, State)? {
    var lines: [String] = []
    let (begin, looked) = (start, searched)
    repeat {
      guard start - begin <= Self.headLimit else {
        throw HTTPError("the head exceeds \(Self.headLimit) bytes")
      }
      guard let line = try readLine(limit: Self.headLimit, "the head") else {
        (start, searched) = (begin, max(looked, begin))
        if let first = lines.first { _ = try Self.status(of: first) }
        return nil
      }
      lines.append(String(decoding: line, as: UTF8.self))
    } while lines.last != ""
    let status = try Self.status(of: lines[0])
    var length: Int?
    for header in lines.dropFirst() {
      let parts = header.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].drop { $0 == " " }
      switch parts[0].lowercased() {
      case "transfer-encoding" where value.lowercased() == "chunked": return (status, .chunkSize)
      case "content-length":
        guard let count = Int(value), count >= 0 else { throw HTTPError("invalid length") }
        guard count <= Self.bodyLimit else { throw Self.tooLong(Self.bodyLimit) }
        length = count
      default: continue
      }
    }
    guard let length else { throw HTTPError("a reply with status \(status) has no length") }
    return (status, .body(left: length))
  }

  private static func status(of line: String) throws(HTTPError) -> Int {
    let words = line.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]),
      100...599 ~= status
    else { throw HTTPError("the reply is not HTTP/1.1") }
    return status
  }
}
