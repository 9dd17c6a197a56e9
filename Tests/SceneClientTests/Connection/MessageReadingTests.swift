import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneClient

/// The broker's messages, as the client reads them.
struct MessageReadingTests {
  private func read(_ text: String, request: (any RequestMessage.Type)? = nil) throws
    -> ClientEvent?
  {
    try MessageReader().read(ContiguousArray(text.utf8).span) { _ in request }
  }

  @Test(
    "an error keeps its name, or has its number as its name",
    arguments: [
      (
        #"{"code":1005,"message":"m","data":{"reason":"sessionInUse","retry":"now"}}"#,
        SceneError(.sessionInUse, "m", retry: .now)
      ),
      (
        #"{"code":1004,"message":"m"}"#,
        SceneError(named: "error 1004", "m")
      ),
      (
        #"{"code":4711,"data":{"reason":"ofTomorrow","retry":"perhaps"}}"#,
        SceneError(named: "ofTomorrow", "ofTomorrow")
      ),
      ("{}", SceneError(named: "error 0", "error 0")),
      ("null", SceneError(named: "error 0", "error 0")),
    ])
  func errors(text: String, error: SceneError) throws {
    #expect(
      try read(#"{"jsonrpc":"2.0","id":1,"error":\#(text)}"#) == .replied(1, .failure(error)))
  }

  @Test("an invalid reply is an error of its request, and of no other")
  func garbledReply() throws {
    let event = try read(
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#, request: SaveActivity.self)
    guard case .replied(1, .failure(let error))? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(error.message.contains("generation"))
  }

  @Test(
    "a message that this version does not know is skipped",
    arguments: [
      #"{"jsonrpc":"2.0","method":"weather/changed","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"application/phaseChanged","params":{"phase":"asleep"}}"#,
      #"{"jsonrpc":"2.0","id":9,"result":{}}"#, #"{"jsonrpc":"2.0","id":"x","result":{}}"#,
    ])
  func passedOver(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test(
    "a callback that cannot be read gets the answer unknown method",
    arguments: [
      #""method":"scene/dance","params":{}"#, #""method":"scene/didBecomeActive""#,
      #""method":"scene/didBecomeActive","params":{"session":"x"}"#,
    ])
  func unknownCallbacks(members: String) throws {
    let event = try read("{\"jsonrpc\":\"2.0\",\"id\":3,\(members)}")
    guard case .calledUnknown(.number(3), _)? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
  }

  @Test("an application delegate has no callback of a scene")
  func callbackOfScene() throws {
    let text =
      #"{"jsonrpc":"2.0","id":3,"method":"scene/willEnterForeground","params":{"session":"\#(packing)"}}"#
    let event = try MessageReader(kind: .applicationDelegate).read(ContiguousArray(text.utf8).span)
    {
      _ in nil
    }
    #expect(event == .calledUnknown(.number(3), method: "scene/willEnterForeground"))
  }

  @Test("a long name of a callback is cut to the length that an answer can have")
  func longName() throws {
    let name = String(repeating: "\\u0001", count: 100_000)
    let event = try read("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\(name)\",\"params\":{}}")
    guard case .calledUnknown(.number(3), let method)? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(method.utf8.count < 110)
  }

  @Test("invalid data is refused", arguments: ["", "[]", "{}", "{", #"{"jsonrpc":"2.0"}"#])
  func nonsense(text: String) {
    #expect(throws: EnvelopeError.self) { try read(text) }
  }
}
