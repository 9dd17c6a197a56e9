import SceneJSON
import SceneModel

/// A message between a client and its broker.
///
/// The conformance test has its own parser and its own ``FrameSplitter``. A client that shares a
/// bug with the parser of the broker therefore fails the test.
struct WireMessage: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case request(id: RawJSON, method: String)
    case notification(method: String)
    case result(id: RawJSON)
    case failure(id: RawJSON, code: Int64)
    /// Not a message of the protocol; the reason.
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
    guard root.kind == .object else { return .malformed("a frame that is not an object") }
    guard root["jsonrpc"]?.string == "2.0" else {
      return .malformed(#"a message without "jsonrpc":"2.0""#)
    }
    let id = root["id"]?.raw
    if let problem = root["id"].flatMap(problem(aboutID:)) { return .malformed(problem) }
    switch (root["method"]?.string, id, root["result"] != nil, root["error"]) {
    case (let method?, let id?, false, nil): return .request(id: id, method: method)
    case (let method?, nil, false, nil): return .notification(method: method)
    case (nil, let id?, true, nil): return .result(id: id)
    case (nil, let id?, false, let error?):
      guard let code = error["code"]?.integer, error["message"]?.string != nil else {
        return .malformed("an error without a code and a message")
      }
      return .failure(id: id, code: code)
    default: return .malformed("a message that is not a request, a notification or a reply")
    }
  }

  private static func problem(aboutID id: JSONValue) -> String? {
    let isAcceptable =
      switch id.kind {
      case .number: id.integer.map { 0...(1 << 53 - 1) ~= $0 } ?? false
      case .string: (id.string?.utf8.count ?? 0) <= 64
      case .null, .bool, .array, .object: false
      }
    return isAcceptable
      ? nil : "an id that is neither an integer from 0 to 2^53-1 nor a string of at most 64 bytes"
  }

  var method: String? {
    switch kind {
    case .request(_, let method), .notification(let method): method
    case .result, .failure, .malformed: nil
    }
  }

  func withBody<Result>(_ body: (JSONValue) -> Result) -> Result {
    let document = JSONDocument()
    // A body that cannot be parsed is null.
    _ = try? document.read(self.body.bytes.span)
    return body(document.root)
  }
}
