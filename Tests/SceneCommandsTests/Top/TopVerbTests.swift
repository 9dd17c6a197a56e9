import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import Testing

@testable import SceneCommands

@Suite("scenectl top without a terminal")
struct TopVerbTests {
  private static var script: [String] {
    var waiting = summary(1, name: "packing", state: .foregroundActive, title: "A\u{1B}[2J")
    waiting.generation = 3
    let list = SessionList.Reply(sessions: [waiting])
    var entry = TraceEntry(.callback)
    (entry.session, entry.callback, entry.time) = (identifier(1), "refresh", 1)
    var status = ApplicationStatus.Reply()
    (status.now, status.clock) = (2001, "virtual")
    return [
      result(1, text(of: status)), result(2), notification("trace/entry", text(of: entry)),
      result(3), result(4, text(of: list)),
    ]
  }

  @Test("prints the table once")
  func table() throws {
    let outcome = try Outcome.of(["top"], Self.script)
    #expect(
      outcome.output == #"""
        NAME     STATE   TITLE       GEN  WAIT        MEM  CPU  LAST  COMMAND
        packing  active  A\u001b[2J  3    2s refresh  -    -    -     -

        """#, "\(outcome)")
    #expect(outcome.code == .success)
  }

  @Test("prints an object for each session with --json")
  func json() throws {
    let outcome = try Outcome.of(["top", "--json"], Self.script)
    #expect(outcome.output.hasSuffix(#""generation":3,"wait":"refresh","waitAge":2000}"# + "\n"))
  }
}
