import SceneJSON
import SceneModel
import SceneScript
import Testing

@Suite("A recorded trace")
struct RecordedTraceTests {
  private func entries(_ text: String) throws -> [TraceEntry] {
    try RecordedTrace.entries(in: ContiguousArray(text.utf8))
  }

  @Test("a recorded trace is read unchanged")
  func roundTrip() throws {
    let fixture = GoldenTimelineTests.five
    #expect(try entries(fixture.lines.joined(separator: "\n") + "\n") == fixture.entries)
    #expect(try entries(fixture.lines.joined(separator: "\r\n\r\n")) == fixture.entries)
  }

  @Test("a recorded trace can be empty", arguments: ["", "\n", " \r\n\t\n"])
  func empty(text: String) throws {
    #expect(try entries(text) == [])
  }

  @Test(
    "an error names the damaged line and the problem",
    arguments: [
      ("{", "line 1: unexpected end of the JSON at byte 1"),
      ("GOOD\n\nGOOD\n{\"number\":3,\"ti", "line 4: unexpected end of the JSON at byte 15"),
      ("GOOD\nnull", "line 2: expected an object, found null"),
      ("{},", "line 1: text after the value at byte 2"),
      ("{\"number\":\"1\"}", "line 1: number: expected an integer, found a string"),
    ])
  func damaged(text: String, problem: String) throws {
    var fixture = TraceFixture()
    fixture.join(1)
    let text = text.split(separator: "GOOD", omittingEmptySubsequences: false)
      .joined(separator: fixture.lines[0])
    let error = #expect(throws: MemberError.self) { try entries(text) }
    #expect(error?.description == problem)
  }
}
