import SceneTestSupport
import SceneWire
import Testing

@testable import SceneScript

@Suite("What a client and its broker say")
struct ConversationTests {
  private func message(_ text: String) -> WireMessage { WireMessage(ContiguousArray(text.utf8)) }

  private func conversation(_ said: (Conversation.Speaker, String)...) -> Conversation {
    var conversation = Conversation()
    conversation.add(.opened, on: 0)
    for (speaker, text) in said { conversation.add(.message(speaker, message(text)), on: 0) }
    return conversation
  }

  private static let question =
    #"{"jsonrpc":"2.0","id":4,"method":"scene/fly","params":{"session":"S"}}"#

  @Test(
    "an answer belongs to a question, once and under its id",
    arguments: [
      (#"{"jsonrpc":"2.0","id":4,"result":{}}"#, nil),
      (#"{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"?"}}"#, nil),
      (#"{"jsonrpc":"2.0","id":5,"result":{}}"#, "an answer with the id 5"),
      (#"{"jsonrpc":"2.0","id":"4","result":{}}"#, #"an answer with the id "4""#),
      (#"{"id":4,"result":{}}"#, "a message without"),
      (#"{"jsonrpc":"2.0","id":4,"result":{},"error":{}}"#, "a message that is no"),
      (#"{"jsonrpc":"2.0","id":4,"error":{"code":1}}"#, "an error without"),
      (#"[{"jsonrpc":"2.0","id":4,"result":{}}]"#, "a frame that is no object"),
      (#"{"jsonrpc":"2.0","id":4,"result":{}"#, "a frame that is not JSON"),
    ] as [(String, String?)])
  func violations(answer: String, complaint: String?) {
    let violation = conversation((.broker, Self.question), (.client, answer)).violation
    if let complaint {
      #expect(violation?.hasPrefix(complaint) == true, "\(violation ?? "nil")")
    } else {
      #expect(violation == nil)
    }
  }

  @Test("a second answer is one too many, and so is one on another connection")
  func twice() {
    let answer = #"{"jsonrpc":"2.0","id":4,"result":{}}"#
    var twice = conversation((.broker, Self.question), (.client, answer), (.client, answer))
    #expect(twice.violation?.contains("id 4") == true)
    twice = conversation((.broker, Self.question))
    twice.add(.message(.client, message(answer)), on: 1)
    #expect(twice.violation != nil)
  }

  @Test("what was asked is answered, open, or cut off")
  func calls() {
    var talk = conversation((.broker, Self.question))
    #expect(talk.calls().map(\.words) == ["fly not answered"])
    talk.add(.closed, on: 0)
    #expect(talk.calls().map(\.words) == ["fly not answered, but hung up"])
    #expect(talk.isClosed(since: 0))
    let mark = talk.entries.count
    talk.add(.opened, on: 1)
    talk.add(.message(.broker, message(Self.question)), on: 1)
    talk.add(
      .message(.client, message(#"{"jsonrpc":"2.0","id":4,"error":{"code":7,"message":""}}"#)),
      on: 1)
    #expect(talk.calls(since: mark).map(\.words) == ["fly answered with the error 7"])
    #expect(!talk.isClosed(since: mark))
    #expect(talk.calls(since: mark).first?.request.session == "S")
  }

  @Test("frames are cut where they end, however they come")
  func frames() {
    let first = FrameCutter.frame([1, 2, 3])
    #expect(first == [0, 0, 0, 3, 1, 2, 3])
    var cutter = FrameCutter()
    for byte in first.dropLast() {
      cutter.add([byte])
      #expect(cutter.next() == .more)
    }
    #expect(cutter.rest.count == 6)
    cutter.add([3] + FrameCutter.frame([4]))
    #expect(cutter.next() == .frame(first))
    #expect(cutter.next() == .frame([0, 0, 0, 1, 4]))
    #expect(cutter.next() == .more)
    #expect(cutter.rest.isEmpty)
  }

  @Test("a header that cannot be one is none", arguments: [[1], [0, 0, 0, 0], [0, 0x10, 0, 1]])
  func badHeader(bytes: [UInt8]) {
    var cutter = FrameCutter()
    cutter.add(bytes)
    guard case .bad = cutter.next() else {
      Issue.record("it was taken")
      return
    }
  }

  @Test("what a broker sends is as long as can be said, and a client's as the broker takes it")
  func limits() {
    let header = FrameCutter.frame(ContiguousArray(repeating: 1, count: 1 << 20 + 1))[..<4]
    var cutter = FrameCutter(limit: FrameDecoder.longestFrame)
    cutter.add(header)
    #expect(cutter.next() == .more)
    cutter = FrameCutter()
    cutter.add(header)
    #expect(cutter.next() == .bad("a frame of 1048577 bytes; there may be 1 to 1048576"))
  }
}

@Suite("What came of a client, written for others")
struct ConformReportTests {
  private func outcome(_ name: String, _ result: ConformOutcome.Result) throws -> ConformOutcome {
    let test = try #require(ConformCase.table.first { $0.name == name })
    return ConformOutcome(test: test, result: result, nanoseconds: 2_000_000_000)
  }

  private func outcomes() throws -> [ConformOutcome] {
    [
      try outcome("connect", .passed),
      try outcome("interrupt", .otherwise("it <hangs>", said: ["→ hello"])),
      try outcome("again", .skipped("it ends")),
      try outcome("same", .otherwise("it does not", said: [])),
      try outcome("kept", .violated("it answers twice", said: [])),
    ]
  }

  @Test("as TAP: what it may do and does not is a TODO")
  func tap() throws {
    let lines = try outcomes().enumerated().map { index, outcome in
      ConformReport.lines(of: outcome, number: index + 1, command: "./x -y")
    }
    #expect(lines[0].hasPrefix("ok 1 - connect: a client must answer willConnect"))
    #expect(
      lines[1] == """
        not ok 2 - interrupt: a client must answer willResignActive, and didBecomeActive when it is over
        # expected: to answer willResignActive, and didBecomeActive when it is over
        # came: it <hangs>
        # what was said last (→ by the client):
        #   → hello
        # once more: scenectl conform --case interrupt -- ./x -y

        """)
    #expect(lines[2].hasPrefix("ok 3 - again: "))
    #expect(lines[2].hasSuffix(" # SKIP it ends\n"))
    #expect(lines[3].hasPrefix("not ok 4 - same: a client may "))
    #expect(lines[3].hasSuffix(" # TODO it does not\n"))
    #expect(lines[4].hasPrefix("not ok 5 - kept: a client may "))
    #expect(lines[4].contains("\n# came: it answers twice\n"))
    #expect(!lines[4].contains("TODO"))
    #expect(try outcomes().map(\.passed) == [true, false, true, true, false])
  }

  @Test("as XML")
  func junit() throws {
    let text = ConformReport.junit(try outcomes(), command: "./x \"y\"")
    #expect(
      text.contains(
        "<testsuite name=\"./x &quot;y&quot;\" tests=\"5\" failures=\"2\" skipped=\"2\" "
          + "time=\"10.000\">"))
    #expect(text.contains("<failure message=\"it &lt;hangs&gt;\">expected: to answer"))
    #expect(text.contains("<failure message=\"it answers twice\">expected: to say"))
    #expect(text.contains("<skipped message=\"it ends\"/>"))
    #expect(text.contains("<skipped message=\"it does not\"/>"))
  }

  @Test("every case has a name of its own, and is on the page as it is")
  func table() throws {
    let cases = ConformCase.table
    #expect(Set(cases.map(\.name)).count == cases.count)
    let page = try Repository.text("Sources/SceneScript/SceneScript.docc/Conformance.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows == cases.map { "| `\($0.name)` | \($0.demand) | \($0.expectation) |"[...] })
  }
}
