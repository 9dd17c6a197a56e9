import JSON
import SceneModel

/// A message between a client and its broker, as far as it matters who is told what.
///
/// It is read here once more, and the frames are cut once more, without the reader of the broker and
/// of its clients: a client that makes the same mistake as that reader is to be found out, too. Only
/// how long a frame may be is taken from there.
struct WireMessage: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case request(id: RawJSON, method: String)
    case notification(method: String)
    case result(id: RawJSON)
    case failure(id: RawJSON, code: Int64)
    /// No message of the protocol; what is wrong with it.
    case malformed(String)
  }

  let kind: Kind
  /// The parameters of a request, or the result of a reply.
  let body: RawJSON
  let session: String?

  init(_ content: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    var body = RawJSON.null
    do throws(JSONError) {
      try document.read(content.span)
    } catch {
      kind = .malformed("a frame that is not JSON: \(error)")
      (self.body, session) = (body, nil)
      return
    }
    let root = document.root
    kind = Self.kind(root)
    if let found = root["params"] ?? root["result"] { body = found.raw }
    session = root["params"]?["session"]?.string
    self.body = body
  }

  private static func kind(_ root: JSONValue) -> Kind {
    guard root.kind == .object else { return .malformed("a frame that is no object") }
    guard root["jsonrpc"]?.string == "2.0" else {
      return .malformed(#"a message without "jsonrpc":"2.0""#)
    }
    let id = root["id"]?.raw
    if let complaint = root["id"].flatMap(complaint(aboutID:)) { return .malformed(complaint) }
    switch (root["method"]?.string, id, root["result"] != nil, root["error"]) {
    case (let method?, let id?, false, nil): return .request(id: id, method: method)
    case (let method?, nil, false, nil): return .notification(method: method)
    case (nil, let id?, true, nil): return .result(id: id)
    case (nil, let id?, false, let error?):
      guard let code = error["code"]?.integer, error["message"]?.string != nil else {
        return .malformed("an error without a code and a message")
      }
      return .failure(id: id, code: code)
    default: return .malformed("a message that is no request, notification or reply")
    }
  }

  private static func complaint(aboutID id: JSONValue) -> String? {
    let isFine =
      switch id.kind {
      case .number: id.integer.map { 0...(1 << 53 - 1) ~= $0 } ?? false
      case .string: (id.string?.utf8.count ?? 0) <= 64
      case .null, .bool, .array, .object: false
      }
    return isFine
      ? nil : "an id that is neither an integer from 0 to 2^53-1 nor a string of at most 64 bytes"
  }

  var method: String? {
    switch kind {
    case .request(_, let method), .notification(let method): method
    case .result, .failure, .malformed: nil
    }
  }

  /// Looks at the body.
  func look<Result>(_ body: (JSONValue) -> Result) -> Result {
    let document = JSONDocument()
    // What cannot be read is null.
    _ = try? document.read(self.body.bytes.span)
    return body(document.root)
  }
}

/// Cuts what comes over a connection into frames.
struct FrameCutter {
  private var bytes: ContiguousArray<UInt8> = []

  enum Cut: Equatable {
    /// With its header.
    case frame(ContiguousArray<UInt8>)
    /// The next frame has not wholly come.
    case more
    case bad(String)
  }

  private static let headerLength = 4

  /// The bytes that a frame may have.
  private let limit: Int

  /// A client may send no more than the broker takes.
  init(limit: Int = Limits().frameBytes) { self.limit = limit }

  /// What has come and was not handed out: a frame that is not whole.
  var rest: ContiguousArray<UInt8> { bytes }

  mutating func add(_ more: some Collection<UInt8>) { bytes += more }

  mutating func next() -> Cut {
    guard let first = bytes.first else { return .more }
    guard first == 0 else { return .bad("a frame whose first byte is \(first), not 0") }
    guard bytes.count >= Self.headerLength else { return .more }
    let length = bytes[1..<Self.headerLength].reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, length <= limit else {
      return .bad("a frame of \(length) bytes; there may be 1 to \(limit)")
    }
    let end = Self.headerLength + length
    guard bytes.count >= end else { return .more }
    defer { bytes.removeFirst(end) }
    return .frame(ContiguousArray(bytes[..<end]))
  }

  static func content(of frame: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    ContiguousArray(frame.dropFirst(headerLength))
  }

  static func frame(_ content: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    let length = UInt32(content.count)
    return [0, UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
      + content
  }
}
