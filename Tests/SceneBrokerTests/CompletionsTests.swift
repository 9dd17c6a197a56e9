import SceneModel
import Testing

@testable import SceneBroker

struct CompletionsTests {
  private var completions = Completions()

  private func requester(_ connection: UInt64, _ request: Int64 = 1) -> Requester {
    Requester(connection: ConnectionIdentifier(connection), request: .number(request))
  }

  @Test("a completion answers its waiters once, in order, and no others")
  mutating func complete() {
    let one = Completions.Key.dataDirectory(SessionIdentifier(high: 0, low: 1))
    let two = Completions.Key.dataDirectory(SessionIdentifier(high: 0, low: 2))
    completions.wait(for: one, requester(1))
    completions.wait(for: two, requester(2))
    completions.wait(for: one, requester(3))
    #expect(completions.complete(one) == [requester(1), requester(3)])
    #expect(completions.complete(one) == [])
    #expect(completions.waiters(for: two).count == 1)
  }

  @Test("each step of the clock answers one waiter")
  mutating func first() {
    completions.wait(for: .clock, requester(1))
    completions.wait(for: .clock, requester(2))
    #expect(completions.completeFirst(.clock) == requester(1))
    #expect(completions.completeFirst(.clock) == requester(2))
    #expect(completions.completeFirst(.clock) == nil)
  }

  @Test("a condition selects waiters, and two requests of one connection are two waiters")
  mutating func selected() {
    completions.wait(for: .settled, requester(1), ignoring: [7])
    completions.wait(for: .settled, requester(1))
    completions.wait(for: .settled, requester(2))
    #expect(
      completions.complete(.settled) { $0.ignoredProcesses.isEmpty }
        == [requester(1), requester(2)])
    #expect(completions.waiters(for: .settled).map(\.ignoredProcesses) == [[7]])
  }

  @Test("a shutdown fails waiters in the order in which they came")
  mutating func fail() {
    completions.wait(for: .disk(isFull: false), requester(1))
    completions.wait(for: .disk(isFull: true), requester(2))
    completions.wait(for: .disk(isFull: false), requester(3))
    completions.wait(for: .manifest, requester(4))
    #expect(
      completions.fail(.disk(isFull: true), .disk(isFull: false))
        == [requester(1), requester(2), requester(3)])
    #expect(completions.waiters(for: .manifest).count == 1)
  }

  @Test("waiters of a closed connection go")
  mutating func drop() {
    completions.wait(for: .settled, requester(1))
    completions.wait(for: .settled, requester(2))
    completions.drop(.settled, of: ConnectionIdentifier(1))
    #expect(completions.waiters(for: .settled).map(\.requester) == [requester(2)])
  }
}
