import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A client that sends invalid data gets the right error, and the broker serves the other clients.
struct BadInputTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  /// The data after `initialize`, the error for it, and whether the broker then closes the
  /// connection.
  struct Case: CustomTestStringConvertible, Sendable {
    let what: String
    let bytes: [UInt8]
    let reason: ErrorReason
    let closes: Bool
    var testDescription: String { what }

    init(_ what: String, frame text: String, _ reason: ErrorReason, closes: Bool) {
      let content = Array(text.utf8)
      let length = content.count
      self.init(
        what,
        bytes: [0, UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255)] + content,
        reason, closes: closes)
    }

    init(_ what: String, bytes: [UInt8], _ reason: ErrorReason, closes: Bool) {
      self.what = what
      self.bytes = bytes
      self.reason = reason
      self.closes = closes
    }
  }

  static let cases: [Case] = [
    Case("a length of zero", bytes: [0, 0, 0, 0], .invalidRequest, closes: true),
    Case("a length with the top byte set", bytes: [1, 0, 0, 0], .invalidRequest, closes: true),
    Case("a length over the limit", bytes: [0, 0x10, 0, 1], .invalidRequest, closes: true),
    Case(
      "an HTTP request", bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8), .invalidRequest,
      closes: true),
    Case("text that is not JSON", frame: "{\"jsonrpc\"", .parseError, closes: true),
    Case("ill-formed UTF-8", bytes: [0, 0, 0, 3, 0x22, 0xFF, 0x22], .parseError, closes: true),
    Case(
      "nesting 65 deep",
      frame: String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
      .parseError, closes: true),
    Case("a batch", frame: "[{\"jsonrpc\":\"2.0\"}]", .invalidRequest, closes: true),
    Case("no version", frame: #"{"id":7,"method":"broker/ping"}"#, .invalidRequest, closes: true),
    Case(
      "a duplicate in the envelope",
      frame: #"{"jsonrpc":"2.0","id":7,"id":8,"method":"broker/ping"}"#,
      .invalidRequest, closes: true),
    Case(
      "an identifier that is an object",
      frame: #"{"jsonrpc":"2.0","id":{},"method":"broker/ping"}"#,
      .invalidRequest, closes: true),
    Case(
      "an unexpected reply", frame: #"{"jsonrpc":"2.0","id":99,"result":{}}"#, .invalidRequest,
      closes: true),
    Case(
      "an unknown method", frame: #"{"jsonrpc":"2.0","id":7,"method":"scene/fly","params":{}}"#,
      .methodNotFound, closes: false),
    Case(
      "parameters in an array",
      frame: #"{"jsonrpc":"2.0","id":7,"method":"session/show","params":[]}"#,
      .invalidParams, closes: false),
    Case(
      "a missing parameter", frame: #"{"jsonrpc":"2.0","id":7,"method":"session/history"}"#,
      .invalidParams, closes: false),
    Case(
      "a parameter of the wrong type",
      frame: #"{"jsonrpc":"2.0","id":7,"method":"session/history","params":{"session":5}}"#,
      .invalidParams, closes: false),
    Case(
      "a parameter given twice",
      frame: #"{"jsonrpc":"2.0","id":7,"method":"session/show","params":{"name":"a","name":"b"}}"#,
      .invalidParams, closes: false),
    Case(
      "initialize again",
      frame:
        #"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocol":{"min":1,"max":1},"#
        + #""client":{"name":"x"}}}"#, .alreadyInitialized, closes: false),
    Case(
      "a request that only controls may send",
      frame: #"{"jsonrpc":"2.0","id":7,"method":"application/terminate"}"#,
      .notPermitted, closes: false),
  ]

  @Test("invalid data gets an error, and other clients are served", arguments: cases)
  func refuses(_ bad: Case) throws {
    let bystander = try daemon.connect()
    try bystander.initialize(as: .control)
    let client = try daemon.connect()
    try client.initialize()
    try client.send(bytes: bad.bytes)
    let answer = try client.first { if case .error = $0 { true } else { false } }
    guard case .error(_, let error) = answer else { return }
    #expect(error.reason == bad.reason, "\(error)")
    #expect(!error.message.isEmpty)
    if bad.closes {
      #expect(try client.next() == nil)
    } else {
      _ = try client.request(Ping())
    }
    _ = try bystander.request(Ping())
  }

  @Test("without a common version, the error contains both ranges, and the connection closes")
  func versions() throws {
    let client = try daemon.connect()
    try client.send(
      frame: #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":"#
        + #"{"protocol":{"min":7,"max":9},"client":{"name":"x"}}}"#)
    guard case .error(_, let error) = try client.next() else {
      Issue.record("no error")
      return
    }
    #expect(error.reason == .unsupportedProtocol)
    #expect(error.message.contains("1 to 1") && error.message.contains("7 to 9"))
    #expect(try client.next() == nil)
  }

  @Test(
    "scenectl reports that its input is too long for a frame, not that the broker is missing",
    arguments: [["save", "packing", "note", "-"], ["call", "session/list", "-"]])
  func tooLongForAFrame(words: [String]) throws {
    let client = try daemon.connect()
    try client.initialize()
    _ = try client.request(SceneConnect(name: "packing"))
    for byteCount in [1 << 20, 1 << 24 - 40] {
      let control = try daemon.start("scenectl", words)
      try control.type(#"{"x":""# + String(repeating: "a", count: byteCount) + #""}"#)
      control.closeInput()
      let errors = try control.everythingOnErrors()
      #expect(try control.reap() == .exited(65), "\(errors)")
      #expect(errors.contains("the request has \(byteCount / 1000)"), "\(errors)")
      #expect(errors.contains("bytes; the limit of the broker is 1048576\n"), "\(errors)")
    }
    _ = try client.request(Ping())
  }

  @Test("a request before initialize is refused, and the connection stays")
  func early() throws {
    let client = try daemon.connect()
    #expect(throws: BrokerError.self) { try client.request(Ping()) }
    try client.initialize()
    _ = try client.request(Ping())
  }

  @Test("a frame that arrives byte by byte is one frame")
  func slowFrame() throws {
    let client = try daemon.connect()
    let text =
      #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":"#
      + #"{"protocol":{"min":1,"max":1},"client":{"name":"x"}}}"#
    for byte in [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8) {
      try client.send(bytes: [byte])
    }
    guard case .reply(.string("a"), _) = try client.next() else {
      Issue.record("no reply")
      return
    }
  }
}
