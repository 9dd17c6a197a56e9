import SceneJSON
import SceneModel

/// A message between a client and its broker.
///
/// The conformance test has its own parser and its own ``FrameSplitter``. A client that shares a
/// bug with the parser of the broker therefore fails the test.
struct WireMessage: Equatable, Sendable {
  enum Answer: Equatable, Sendable {
    case result(RawJSON)
    /// The code of the error.
    case failure(Int64)
  }

  /// The identifier of a request or of a reply.
  private(set) var id: RawJSON?
  /// The method of a request or of a notification.
  private(set) var method: String?
  /// The answer of a reply.
  private(set) var answer: Answer?
  /// Why this is not a message of the protocol; nil if it is one.
  private(set) var flaw: String?
  /// The parameters of a request, or the result of a reply.
  private(set) var body = RawJSON.null
  private(set) var session: String?

  init(_ content: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(content.span)
    } catch {
      flaw = "a frame that is not JSON: \(error)"
      return
    }
    let root = document.root
    if let found = root["params"] ?? root["result"] { body = found.raw }
    session = root["params"]?["session"]?.string
    flaw = read(root)
  }

  /// Returns the flaw.
  private mutating func read(_ root: JSONValue) -> String? {
    guard root.kind == .object else { return "a frame that is not an object" }
    guard root["jsonrpc"]?.string == "2.0" else { return #"a message without "jsonrpc":"2.0""# }
    if let problem = root["id"].flatMap(Self.problem(aboutID:)) { return problem }
    id = root["id"]?.raw
    method = root["method"]?.string
    switch (method, id, root["result"] != nil, root["error"]) {
    case (_?, _, false, nil): return nil
    case (nil, _?, true, nil): answer = .result(body)
    case (nil, _?, false, let error?):
      guard let code = error["code"]?.integer, error["message"]?.string != nil else {
        return "an error without a code and a message"
      }
      answer = .failure(code)
    default: return "a message that is not a request, a notification or a reply"
    }
    return nil
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

  func withBody<Result>(_ body: (JSONValue) -> Result) -> Result {
    let document = JSONDocument()
    // A body that cannot be parsed is null.
    _ = try? document.read(self.body.bytes.span)
    return body(document.root)
  }
}
