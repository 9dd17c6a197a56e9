import SceneWire
import Testing

@testable import SceneScript

@Suite("The wire log")
struct WireLogTests {
  private func message(_ text: String) -> WireMessage { WireMessage(ContiguousArray(text.utf8)) }

  private func log(_ messages: (WireLog.Sender, String)...) -> WireLog {
    var log = WireLog()
    log.add(.opened, on: 0)
    for (sender, text) in messages { log.add(.message(sender, message(text)), on: 0) }
    return log
  }

  private static let question =
    #"{"jsonrpc":"2.0","id":4,"method":"scene/fly","params":{"session":"S"}}"#

  @Test(
    "an answer has the id of an open request",
    arguments: [
      (#"{"jsonrpc":"2.0","id":4,"result":{}}"#, nil),
      (#"{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"?"}}"#, nil),
      (#"{"jsonrpc":"2.0","id":5,"result":{}}"#, "a reply with the id 5"),
      (#"{"jsonrpc":"2.0","id":"4","result":{}}"#, #"a reply with the id "4""#),
      (#"{"id":4,"result":{}}"#, "a message without"),
      (#"{"jsonrpc":"2.0","id":4,"result":{},"error":{}}"#, "a message that is no"),
      (#"{"jsonrpc":"2.0","id":4,"error":{"code":1}}"#, "an error without"),
      (#"[{"jsonrpc":"2.0","id":4,"result":{}}]"#, "a frame that is not an object"),
      (#"{"jsonrpc":"2.0","id":4,"result":{}"#, "a frame that is not JSON"),
    ] as [(String, String?)])
  func violations(answer: String, problem: String?) {
    let violation = log((.broker, Self.question), (.client, answer)).violation
    if let problem {
      #expect(violation?.hasPrefix(problem) == true, "\(violation ?? "nil")")
    } else {
      #expect(violation == nil)
    }
  }

  @Test("a second answer, or one on another connection, is a violation")
  func twice() {
    let answer = #"{"jsonrpc":"2.0","id":4,"result":{}}"#
    var twice = log((.broker, Self.question), (.client, answer), (.client, answer))
    #expect(twice.violation?.contains("id 4") == true)
    twice = log((.broker, Self.question))
    twice.add(.message(.client, message(answer)), on: 1)
    #expect(twice.violation != nil)
  }

  @Test("a request is answered, open or interrupted")
  func calls() {
    var talk = log((.broker, Self.question))
    #expect(talk.calls().map(\.summary) == ["fly not answered"])
    talk.add(.closed, on: 0)
    #expect(talk.calls().map(\.summary) == ["fly not answered, connection closed"])
    #expect(talk.isClosed(since: 0))
    let mark = talk.entries.count
    talk.add(.opened, on: 1)
    talk.add(.message(.broker, message(Self.question)), on: 1)
    talk.add(
      .message(.client, message(#"{"jsonrpc":"2.0","id":4,"error":{"code":7,"message":""}}"#)),
      on: 1)
    #expect(talk.calls(since: mark).map(\.summary) == ["fly answered with the error 7"])
    #expect(!talk.isClosed(since: mark))
    #expect(talk.calls(since: mark).first?.request.session == "S")
  }

  @Test("frames are split regardless of their arrival")
  func frames() {
    let first = FrameSplitter.frame([1, 2, 3])
    #expect(first == [0, 0, 0, 3, 1, 2, 3])
    var splitter = FrameSplitter()
    for byte in first.dropLast() {
      splitter.add([byte])
      #expect(splitter.next() == .more)
    }
    #expect(splitter.rest.count == 6)
    splitter.add([3] + FrameSplitter.frame([4]))
    #expect(splitter.next() == .frame(first))
    #expect(splitter.next() == .frame([0, 0, 0, 1, 4]))
    #expect(splitter.next() == .more)
    #expect(splitter.rest.isEmpty)
  }

  @Test("an invalid header is an error", arguments: [[1], [0, 0, 0, 0], [0, 0x10, 0, 1]])
  func badHeader(bytes: [UInt8]) {
    var splitter = FrameSplitter()
    splitter.add(bytes)
    guard case .bad = splitter.next() else {
      Issue.record("it was taken")
      return
    }
  }

  @Test("a broker's frame has the limit of the format, and a client's frame the broker's limit")
  func limits() {
    let header = FrameSplitter.frame(ContiguousArray(repeating: 1, count: 1 << 20 + 1))[..<4]
    var splitter = FrameSplitter(limit: FrameDecoder.longestFrame)
    splitter.add(header)
    #expect(splitter.next() == .more)
    splitter = FrameSplitter()
    splitter.add(header)
    #expect(splitter.next() == .bad("a frame of 1048577 bytes; expected 1 to 1048576"))
  }
}
