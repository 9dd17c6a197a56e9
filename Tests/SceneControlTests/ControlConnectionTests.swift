import SceneControlTestSupport
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneControl

@Suite("A control's connection")
struct ControlConnectionTests {
  @Test("initialize and the first request leave in one write")
  func pipelined() throws {
    let broker = try StubBroker([greeting, result(1)])
    let connection = try broker.connect()
    _ = try connection.request(Ping())
    #expect(
      try broker.writes() == [
        [
          #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":{"min":1,"max":1},"#
            + #""client":{"name":"test","version":"1"},"as":"control"}}"#,
          #"{"jsonrpc":"2.0","id":1,"method":"broker/ping","params":{}}"#,
        ]
      ])
  }

  @Test("a result keeps its bytes")
  func bytes() throws {
    let json = #"{ "a" : 9007199254740993, "b":3.14159265358979323846,"c":"\u00e4" }"#
    let broker = try StubBroker([greeting, result(1, json)])
    let connection = try broker.connect()
    #expect(try connection.result(of: connection.post(Ping())).description == json)
  }

  @Test("replies arrive in any order, with notifications between them")
  func order() throws {
    let broker = try StubBroker([
      greeting, result(2, "2"), notification("a/b", "[1]"), result(1, "1"),
      notification("c/d", "[2]"), result(3, "3"),
    ])
    let connection = try broker.connect()
    let numbers = (1...3).map { _ in connection.post(Ping()) }
    #expect(try numbers.map { try connection.result(of: $0).description } == ["1", "2", "3"])
    #expect(try connection.takeNotifications().map(\.method) == ["a/b", "c/d"])
    #expect(try connection.takeNotifications().isEmpty)
  }

  /// A connection whose broker has this script and ends, and the brokers after that one.
  private func connection(
    _ script: [String], greets: Bool = true, then next: StubBroker...
  ) throws -> ControlConnection {
    let connection = try StubBroker((greets ? [greeting] : []) + script, ending: true).connect()
    var brokers = next[...]
    connection.reconnect = { _ throws(ControlError) in
      guard let broker = brokers.popFirst() else { throw .timedOut }
      let connection = try broker.connect()
      _ = try connection.greeting()
      return connection
    }
    return connection
  }

  @Test("the next broker gets the requests that can be repeated, and the others fail")
  func repeated() throws {
    let next = try StubBroker([greeting, result(2, "2"), result(3, "3")])
    let connection = try connection([], then: StubBroker([greeting], ending: true), next)
    let post = connection.post(EventPost(topic: "news", kind: "k"))
    let pings = [connection.post(Ping()), connection.post(Ping())]
    #expect(throws: ControlError.lost(lastWords: nil)) { try connection.result(of: post) }
    #expect(try pings.map { try connection.result(of: $0).description } == ["2", "3"])
    #expect(try next.requests() == ["broker/ping {}", "broker/ping {}"])
    #expect(try connection.takeNotifications().map(\.interruption) == [.reconnected, .reconnected])
  }

  @Test("the next broker gets the requests of a broker that ended without a greeting")
  func withoutGreeting() throws {
    let next = try StubBroker([greeting, result(1, "1")])
    let connection = try connection([], greets: false, then: next)
    #expect(try connection.result(of: connection.post(Ping())).description == "1")
    _ = try connection.greeting()
  }

  @Test("the next broker gets a request that the broker refused because of its upgrade")
  func postponed() throws {
    let next = try StubBroker([greeting, result(1, #"{"position":"00000001-8"}"#)])
    let connection = try connection([refusal(1, .shuttingDown, retry: .now)], then: next)
    _ = try connection.request(EventPost(topic: "news", kind: "k"))
    #expect(try next.requests().count == 1)
  }

  @Test("observations go on behind the last event, and a gap is reported")
  func observations() throws {
    let event = #"{"topic":"a","kind":"k","payload":{},"position":"00000001-8"}"#
    let position = #"{"position":"00000001-7"}"#
    let next = try StubBroker([
      greeting, result(3, #"{"position":"00000001-8"}"#),
      result(4, #"{"position":"00000001-9","gap":true}"#),
    ])
    let connection = try connection(
      [result(1, position), result(2, position), notification("event/posted", event)], then: next)
    for topic in ["a", "b"] { connection.post(EventObserve(topic: topic, last: 3)) }
    #expect(try connection.nextNotification()?.method == "event/posted")
    #expect(
      try connection.nextNotification()?.interruption
        == .gap("b", EventPosition(origin: "00000001", number: 9)))
    #expect(try connection.nextNotification()?.interruption == .reconnected)
    #expect(
      try next.requests() == [
        #"event/observe {"topic":"a","after":"00000001-8"}"#,
        #"event/observe {"topic":"b","after":"00000001-7"}"#,
      ])
  }

  @Test("brokers that end at once share one time of loss, and the pauses grow")
  func repeatedLosses() throws {
    let connection = try StubBroker([greeting], ending: true).connect()
    var losses: [Int64] = []
    var ends: [Int64] = []
    connection.reconnect = { loss throws(ControlError) in
      losses.append(loss)
      ends.append(SystemClock.monotonic())
      guard losses.count < 4, let stub = try? StubBroker([greeting], ending: true) else {
        throw .timedOut
      }
      let next = try stub.connect()
      _ = try next.greeting()
      return next
    }
    let ping = connection.post(Ping())
    #expect(throws: ControlError.timedOut) { try connection.result(of: ping) }
    #expect(losses.count == 4 && Set(losses).count == 1)
    // 10, 20 and 40 ms.
    #expect(zip(ends.dropFirst(), [10, 30, 70]).allSatisfy { $0 >= losses[0] + $1 * 1_000_000 })
  }

  @Test("frames before the end of a broker are taken before the next one")
  func framesBeforeTheEnd() throws {
    let next = try StubBroker([greeting])
    let connection = try connection([result(1, "1")], then: next)
    _ = try connection.greeting()
    let post = connection.post(EventPost(topic: "news", kind: "k"))
    try connection.handleInput()
    #expect(try connection.result(of: post).description == "1")
    #expect(try next.requests().isEmpty)
  }

  @Test("the trace of a broker that lives on continues behind the last entry")
  func traceOfSameBroker() throws {
    let next = try StubBroker([greeting, result(2)])
    let connection = try connection([result(1)], then: next)
    _ = try connection.request(TraceObserve(after: 7))
    #expect(try connection.nextNotification()?.interruption == .reconnected)
    #expect(try next.requests() == [#"trace/observe {"after":7}"#])
  }

  @Test("a connection ends with a broker that named the reason")
  func reason() throws {
    let error = #"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"too slow"}}"#
    let connection = try connection([error], then: StubBroker([greeting]))
    _ = try connection.greeting()
    #expect(throws: ControlError.lost(lastWords: "too slow")) {
      try connection.nextNotification()
    }
  }

  @Test("a received notification is returned without a wait")
  func takesWhatHasCome() throws {
    let broker = try StubBroker([
      greeting, result(1), notification("a/b", "{}"), notification("c/d", "{}"),
    ])
    let connection = try broker.connect()
    _ = try connection.request(Ping())
    #expect(try connection.nextNotification()?.method == "a/b")
    #expect(try connection.takeNotifications().map(\.method) == ["c/d"])
  }

  @Test("the refusal of a callback with a long name is short")
  func longCallback() throws {
    let name = String(repeating: "x", count: 10_000)
    let broker = try StubBroker([
      greeting, #"{"jsonrpc":"2.0","id":7,"method":"\#(name)","params":{}}"#, result(1),
    ])
    let connection = try broker.connect()
    _ = try connection.request(Ping())
    let answer = try #require(try broker.writes().joined().last)
    #expect(answer.contains("-32601"))
    #expect(answer.utf8.count < 300)
  }

  @Test("a refusal has the members of the broker's error")
  func refused() throws {
    let error = #"{"code":1099,"message":"m","data":{"reason":"brandNew","retry":"now"}}"#
    let broker = try StubBroker([greeting, #"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#])
    let connection = try broker.connect()
    let refusal = RemoteError(
      code: 1099, reason: "brandNew", message: "m", retry: .now,
      json: RawJSON(unchecked: ContiguousArray(error.utf8)))
    #expect(throws: ControlError.refused(refusal)) { _ = try connection.request(Ping()) }
  }

  /// An object with a text of this many bytes.
  private func text(_ byteCount: Int) -> RawJSON {
    let text = #"{"x":""# + String(repeating: "a", count: byteCount) + #""}"#
    return RawJSON(unchecked: ContiguousArray(text.utf8))
  }

  @Test(
    "a request above the broker's limit is refused without being sent",
    arguments: [1 << 20, 1 << 24])
  func tooLong(byteCount: Int) throws {
    let broker = try StubBroker([greeting, result(1, "1"), result(3, "3")])
    let connection = try broker.connect()
    let first = connection.post(Ping())
    let long = connection.post(method: "a/b", params: text(byteCount))
    let last = connection.post(Ping())
    #expect(try connection.result(of: last).description == "3")
    let refusal = #expect(throws: ControlError.self) { try connection.result(of: long) }?.refusal
    #expect(refusal?.is(.tooLarge) == true)
    // The envelope has 49 bytes, and the object around the text 8.
    #expect(
      refusal?.message
        == "the request has \(byteCount + 57) bytes; the limit of the broker is 1048576")
    #expect(try connection.result(of: first).description == "1")
    #expect(try broker.requests() == ["broker/ping {}", "broker/ping {}"])
  }

  @Test("a request within the broker's limit is sent")
  func longest() throws {
    let broker = try StubBroker([greeting, result(1, "1")])
    let connection = try broker.connect()
    let number = connection.post(method: "a/b", params: text(100_000))
    #expect(try connection.greeting().limits.frameBytes == 1 << 20)
    #expect(try connection.result(of: number).description == "1")
    #expect(try broker.requests().map(\.utf8.count) == [100_012])
  }

  @Test("an end before the answer is an error, with the last words of the broker")
  func lost() throws {
    let last = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad frame"}}"#
    let broker = try StubBroker([greeting, last], ending: true)
    let connection = try broker.connect()
    #expect(throws: ControlError.lost(lastWords: "bad frame")) {
      _ = try connection.request(Ping())
    }
  }

  private static let notYou =
    #"{"jsonrpc":"2.0","id":null,"error":{"code":1003,"message":"not you","#
    + #""data":{"reason":"notPermitted","retry":"never"}}}"#

  @Test(
    "the first request fails with the error of initialize, or of the whole connection",
    arguments: [
      (refusal(0, .unsupportedProtocol), ErrorReason.unsupportedProtocol), (notYou, .notPermitted),
    ])
  func turnedAway(message: String, reason: ErrorReason) throws {
    let connection = try StubBroker([message], ending: true).connect()
    let error = #expect(throws: ControlError.self) { _ = try connection.request(Ping()) }
    #expect(error?.refusal?.is(reason) == true, "\(error as Any)")
    if reason == .notPermitted { #expect(error?.refusal?.message == "not you") }
  }

  @Test(
    "an answer that is not a broker's is garbled",
    arguments: [
      "[]", "nonsense", #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":"x","result":{}}"#,
    ])
  func garbled(text: String) throws {
    let connection = try StubBroker([text], ending: true).connect()
    let error = #expect(throws: ControlError.self) { _ = try connection.request(Ping()) }
    #expect("\(error as Any)".contains("garbled"))
  }

  @Test("a reply with a wrong type is garbled")
  func wrongReply() throws {
    let broker = try StubBroker([greeting, result(1, #"{"generation":"x"}"#)])
    let connection = try broker.connect()
    #expect(
      throws: ControlError.garbled(
        "invalid reply: generation: expected an integer, found a string")
    ) {
      _ = try connection.request(SaveActivity(session: .none))
    }
  }

  @Test("a deadline that has passed ends the wait, and the answer may still come")
  func deadline() throws {
    let broker = try StubBroker([greeting])
    let connection = try broker.connect()
    let number = connection.post(Ping())
    #expect(throws: ControlError.timedOut) { try connection.result(of: number, until: 0) }
    #expect(try connection.nextNotification(until: 0) == nil)
  }

  @Test("a control refuses a callback with methodNotFound")
  func callback() throws {
    let broker = try StubBroker([
      greeting, #"{"jsonrpc":"2.0","id":7,"method":"scene/willConnect","params":{}}"#, result(1),
    ])
    let connection = try broker.connect()
    _ = try connection.request(Ping())
    #expect(
      try broker.writes().joined().last
        == #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"#
        + #""message":"scene/willConnect is not a request to a control"}}"#)
  }

  @Test("a path without a listener means no broker; a path that is too long is another error")
  func noListener() {
    let client = ClientName(name: "test", version: "1")
    let missing = #expect(throws: ControlError.self) {
      try ControlConnection.open("/nowhere/at/all", as: client, until: 0)
    }
    guard case .noBroker(path: "/nowhere/at/all", _) = missing else {
      Issue.record("threw \(String(describing: missing))")
      return
    }
    let long = #expect(throws: ControlError.self) {
      try ControlConnection.open(String(repeating: "x", count: 500), as: client, until: 0)
    }
    guard case .system(let error) = long else {
      Issue.record("threw \(String(describing: long))")
      return
    }
    #expect(error.code == .nameTooLong)
  }

  @Test("every frame can be watched, both ways")
  func watched() throws {
    let broker = try StubBroker([greeting, result(1)])
    let connection = try broker.connect()
    var seen: [String] = []
    connection.onFrame = { direction, content in
      seen.append("\(direction) \(content.count)")
    }
    _ = try connection.request(Ping())
    #expect(seen.map { $0.split(separator: " ")[0] } == ["sent", "sent", "received", "received"])
    #expect(seen[3] == "received \(result(1).utf8.count)")
  }
}

extension ControlError {
  /// The error of the broker, if it answered with one.
  var refusal: RemoteError? { if case .refused(let refusal) = self { refusal } else { nil } }
}
