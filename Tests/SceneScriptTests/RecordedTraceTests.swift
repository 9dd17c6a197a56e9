import JSON
import SceneModel
import SceneScript
import Testing

@Suite("A recorded trace")
struct RecordedTraceTests {
  private func entries(_ text: String) throws -> [TraceEntry] {
    try RecordedTrace.entries(in: ContiguousArray(text.utf8))
  }

  @Test("is read as it was told")
  func roundTrip() throws {
    let tale = TimelineTextTests.five
    #expect(try entries(tale.lines.joined(separator: "\n") + "\n") == tale.entries)
    #expect(try entries(tale.lines.joined(separator: "\r\n\r\n")) == tale.entries)
  }

  @Test("may be empty", arguments: ["", "\n", " \r\n\t\n"])
  func empty(text: String) throws {
    #expect(try entries(text) == [])
  }

  @Test(
    "that is damaged says in which line, and how",
    arguments: [
      ("{", "line 1: the text ends too early at byte 1"),
      ("GOOD\n\nGOOD\n{\"number\":3,\"ti", "line 4: the text ends too early at byte 15"),
      ("GOOD\nnull", "line 2: expected an object, found null"),
      ("{},", "line 1: something follows the value at byte 2"),
      ("{\"number\":\"1\"}", "line 1: number: expected an integer, found a string"),
    ])
  func damaged(text: String, problem: String) throws {
    var tale = Tale()
    tale.join(1)
    let text = text.split(separator: "GOOD", omittingEmptySubsequences: false)
      .joined(separator: tale.lines[0])
    let error = #expect(throws: DamagedLine.self) { try entries(text) }
    #expect(error?.description == problem)
  }
}
