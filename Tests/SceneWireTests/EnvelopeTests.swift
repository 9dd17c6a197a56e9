import SceneJSON
import SceneWire
import Testing

/// The kind of a message, which is known before the parameters are read.
struct EnvelopeTests {
  static let shapes: [(String, String)] = [
    (#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#, #"request 1 m {"a":1}"#),
    (#"{"jsonrpc":"2.0","id":"a","method":"m"}"#, "request 'a' m"),
    (#"{"jsonrpc":"2.0","method":"m","params":[]}"#, "request m []"),
    (#" { "params" : null , "method" : "m" , "jsonrpc" : "2.0" } "#, "request m null"),
    (#"{"jsonrpc":"2.0","id":0,"result":null}"#, "result 0 null"),
    (#"{"jsonrpc":"2.0","id":"x","result":{"a":[1]}}"#, #"result 'x' {"a":[1]}"#),
    (#"{"jsonrpc":"2.0","id":7,"error":{"code":1}}"#, #"failure 7 {"code":1}"#),
    (#"{"jsonrpc":"2.0","id":7,"error":null}"#, "failure 7 null"),
    (#"{"jsonrpc":"2.0","id":1,"method":"m","extra":{"id":2,"id":3}}"#, "request 1 m"),
    (#"{"jsonrp\u0063":"2.0","id":1,"m\u0065thod":"m"}"#, "request 1 m"),
  ]

  @Test("the kind of every valid message is recognized", arguments: shapes)
  func known(text: String, expected: String) {
    #expect(envelope(text) == expected)
  }

  static let failures: [(String, String)] = [
    ("", "parseError the frame is not JSON: unexpected end of the JSON at byte 0"),
    ("{", "parseError the frame is not JSON: unexpected end of the JSON at byte 1"),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"m"}x"#,
      "parseError the frame is not JSON: text after the value at byte 37"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"m",}"#,
      "parseError the frame is not JSON: a trailing comma at byte 37"
    ),
    (
      #"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#,
      "invalidRequest batches are not supported; send each request in its own frame"
    ),
    ("[]", "invalidRequest batches are not supported; send each request in its own frame"),
    ("1", "invalidRequest a message must be an object, not a number"),
    (#""m""#, "invalidRequest a message must be an object, not a string"),
    ("null", "invalidRequest a message must be an object, not null"),
    ("{}", #"invalidRequest jsonrpc: missing or not "2.0""#),
    (#"{"id":5,"method":"m"}"#, #"invalidRequest 5 jsonrpc: missing or not "2.0""#),
    (
      #"{"jsonrpc":"1.0","id":5,"method":"m"}"#, #"invalidRequest 5 jsonrpc: missing or not "2.0""#
    ),
    (#"{"jsonrpc":2.0,"id":5,"method":"m"}"#, #"invalidRequest 5 jsonrpc: missing or not "2.0""#),
    (
      #"{"jsonrpc":"2.0","id":5}"#,
      "invalidRequest 5 a message must have a method, a result or an error"
    ),
    (#"{"jsonrpc":"2.0"}"#, "invalidRequest a message must have a method, a result or an error"),
    (
      #"{"jsonrpc":"2.0","id":5,"method":7}"#,
      "invalidRequest 5 method: expected a string, found a number"
    ),
    (
      #"{"jsonrpc":"2.0","result":1}"#,
      "invalidRequest id: missing; a reply has the id of its request"
    ),
    (
      #"{"jsonrpc":"2.0","error":{}}"#,
      "invalidRequest id: missing; a reply has the id of its request"
    ),
    (
      #"{"jsonrpc":"2.0","result":1,"error":{}}"#,
      "invalidRequest id: missing; a reply has the id of its request"
    ),
    (
      #"{"jsonrpc":"2.0","id":5,"result":1,"error":{}}"#,
      "invalidRequest 5 a message must have only one of method, result and error"
    ),
    (
      #"{"jsonrpc":"2.0","id":5,"method":"m","result":1}"#,
      "invalidRequest 5 a message must have only one of method, result and error"
    ),
    (
      #"{"jsonrpc":"2.0","id":5,"method":"m","error":1}"#,
      "invalidRequest 5 a message must have only one of method, result and error"
    ),
    (
      #"{"jsonrpc":"2.0","method":"m","result":1}"#,
      "invalidRequest a message must have only one of method, result and error"
    ),
    (
      #"{"jsonrpc":"2.0","id":5,"method":"m","method":"n"}"#,
      "invalidRequest 5 method is given twice"
    ),
    (#"{"jsonrpc":"2.0","id":5,"id":6,"method":"m"}"#, "invalidRequest 5 id is given twice"),
    (
      #"{"jsonrpc":"2.0","id":5,"x":1,"\u0078":2,"method":"m"}"#,
      "invalidRequest 5 x is given twice"
    ),
    (
      #"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
      "invalidRequest id: \(identifier), found null"
    ),
    (
      #"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
      "invalidRequest id: \(identifier), found a number"
    ),
    (
      #"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#,
      "invalidRequest id: \(identifier), found null"
    ),
  ]

  private static let identifier =
    "expected an integer from 0 to 9007199254740991 or a string of at most 64 bytes"

  @Test("every other message is an error, which keeps the identifier", arguments: failures)
  func refused(text: String, expected: String) {
    #expect(envelope(text) == expected)
  }

  @Test(
    "an error without a request is the reason for closing, and no other message is",
    arguments: [
      (#""id":null,"error":{"code":1012,"message":"m","data":{"reason":"tooMany"}}"#, "tooMany"),
      (#""error":{"code":7}"#, "error 7"), (#""id":null,"error":5"#, "error 0"),
      (#""id":1.5,"error":{"code":7}"#, nil), (#""id":null,"method":"m"}"#, nil),
      (#""id":null,"result":{}"#, nil),
    ] as [(String, String?)])
  func farewell(members: String, reason: String?) {
    let document = JSONDocument()
    let error = #expect(throws: EnvelopeError.self) {
      try Envelope(Bytes("{\"jsonrpc\":\"2.0\",\(members)}".utf8).span, into: document)
    }
    #expect(error?.closeReason?.reason == reason)
  }

  @Test("a message can be nested 64 deep", arguments: [64, 65])
  func depth(depth: Int) {
    let arrays =
      String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
    let heard = envelope(#"{"jsonrpc":"2.0","id":1,"method":"m","params":\#(arrays)}"#)
    #expect(
      heard.hasPrefix(
        depth == 64 ? "request 1 m [[" : "parseError the frame is not JSON: nested too deeply"))
  }

  @Test("text that is not UTF-8 is not JSON")
  func notUTF8() {
    let bytes = Bytes(#"{"jsonrpc":"2.0","method":""#.utf8) + [0xFF] + Bytes(#""}"#.utf8)
    #expect(envelope(bytes) == "parseError the frame is not JSON: ill-formed UTF-8 at byte 27")
  }

  @Test("an error quotes only the beginning of a long text")
  func long() {
    let name = String(repeating: "x", count: 100_000)
    #expect(envelope(#"{"jsonrpc":"2.0","\#(name)":1,"\#(name)":2}"#).utf8.count < 600)
  }
}
