import SceneModel

/// Bytes that are no valid request, and whether a broker closes the connection because of them.
enum Garbage {
  static let identifier = RequestIdentifier.number(900)

  static let all: [(ContiguousArray<UInt8>, isFatal: Bool)] = [
    ([0, 0, 0, 0], true),
    ([1, 0, 0, 1, 0x7B], true),
    ([0, 0xFF, 0xFF, 0xFF], true),
    (frame("{"), true),
    (frame("[]"), true),
    (frame(#"{"jsonrpc":"2.0","id":900,"id":901,"method":"broker/ping"}"#), true),
    (frame(#"{"jsonrpc":"2.0","id":4711,"result":{}}"#), true),
    (frame(#"{"jsonrpc":"2.0","method":"no/such/method"}"#), false),
    (frame(#"{"jsonrpc":"2.0","method":"scene/connect","params":{"session":5}}"#), false),
  ]

  private static func frame(_ text: String) -> ContiguousArray<UInt8> {
    [0, 0, 0, UInt8(text.utf8.count)] + ContiguousArray(text.utf8)
  }
}
