import SceneModel
import Testing

@testable import SceneBroker

struct ProcessTableTests {
  private let note = LaunchKind(role: .windowApplication, configuration: "Note")
  private let list = LaunchKind(role: .windowApplication, configuration: "List")
  private let session = SessionIdentifier(high: 0, low: 1)
  private var table = ProcessTable()

  private mutating func add(_ kind: LaunchKind) -> LaunchIdentifier {
    table.add(ProcessEntry(session: session, kind: kind, name: "note", start: 0))
  }

  private mutating func remove(_ launch: LaunchIdentifier) -> Bool { table.remove(launch) != nil }

  @Test("only processes of the kind whose start may still fail count as starting")
  mutating func starting() {
    let one = add(note)
    _ = add(note)
    _ = add(list)
    #expect(table.startingCount(note) == 2 && table.startingCount(list) == 1)
    table.modify(one) { $0.isStarting = false }
    #expect(table.startingCount(note) == 1)
  }

  @Test("a process that has ended is neither found nor changed, and its number is not used again")
  mutating func ended() {
    let one = add(note)
    table.modify(one) { $0.token = "secret" }
    #expect(table.process(showing: "secret")?.launch == one)
    #expect(remove(one))
    #expect(!remove(one))
    table.modify(one) { $0.token = "secret" }
    #expect(table.process(showing: "secret") == nil && table.running.isEmpty)
    #expect(add(note) != one)
  }

  @Test("failures count for their kind and within the interval; the last problem is the newest")
  mutating func failures() {
    table.addFailure(note, "one", at: 10, since: 0)
    table.addFailure(list, "two", at: 20, since: 0)
    table.addFailure(note, "three", at: 30, since: 10)
    #expect(table.failureCount(note, since: 0) == 1)
    #expect(table.failureCount(note, since: 30) == 0)
    #expect(table.failureCount(list, since: 19) == 1)
    #expect(table.lastProblem(note) == "three" && table.lastProblem(list) == "two")
    #expect(table.failure(note, before: 1, since: 10) == 30)
    #expect(table.failure(note, before: 1, since: 30) == nil)
    #expect(table.failure(note, before: 2, since: 10) == nil)
    table.addFailure(list, "four", at: 40, since: 35)
    #expect(table.lastProblem(note) == nil)
    table.forgetFailures()
    #expect(table.failureCount(list, since: 0) == 0 && table.lastProblem(list) == nil)
  }
}
