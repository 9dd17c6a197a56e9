import SceneModel
import Testing

@testable import SceneBroker

struct ConditionWaitersTests {
  private var conditionWaiters = ConditionWaiters()

  private func requester(_ connection: UInt64, _ request: Int64 = 1) -> Requester {
    Requester(connection: ConnectionIdentifier(connection), request: .number(request))
  }

  @Test("a completion answers its waiters once, in order, and no others")
  mutating func complete() {
    let one = ConditionWaiters.Condition.dataDirectory(SessionIdentifier(high: 0, low: 1))
    let two = ConditionWaiters.Condition.dataDirectory(SessionIdentifier(high: 0, low: 2))
    conditionWaiters.wait(for: one, requester(1))
    conditionWaiters.wait(for: two, requester(2))
    conditionWaiters.wait(for: one, requester(3))
    #expect(conditionWaiters.complete(one) == [requester(1), requester(3)])
    #expect(conditionWaiters.complete(one) == [])
    #expect(conditionWaiters[two].count == 1)
  }

  @Test("each step of the clock answers one waiter")
  mutating func first() {
    conditionWaiters.wait(for: .clock, requester(1))
    conditionWaiters.wait(for: .clock, requester(2))
    #expect(conditionWaiters.completeFirst(.clock) == requester(1))
    #expect(conditionWaiters.completeFirst(.clock) == requester(2))
    #expect(conditionWaiters.completeFirst(.clock) == nil)
  }

  @Test("a condition selects waiters, and two requests of one connection are two waiters")
  mutating func selected() {
    conditionWaiters.wait(for: .settled, requester(1), ignoring: [7])
    conditionWaiters.wait(for: .settled, requester(1))
    conditionWaiters.wait(for: .settled, requester(2))
    #expect(
      conditionWaiters.complete(.settled) { $0.ignoredProcesses.isEmpty }
        == [requester(1), requester(2)])
    #expect(conditionWaiters[.settled].map(\.ignoredProcesses) == [[7]])
  }

  @Test("a shutdown fails waiters in the order of arrival")
  mutating func fail() {
    conditionWaiters.wait(for: .disk(isFull: false), requester(1))
    conditionWaiters.wait(for: .disk(isFull: true), requester(2))
    conditionWaiters.wait(for: .disk(isFull: false), requester(3))
    conditionWaiters.wait(for: .manifest, requester(4))
    #expect(
      conditionWaiters.fail(.disk(isFull: true), .disk(isFull: false))
        == [requester(1), requester(2), requester(3)])
    #expect(conditionWaiters[.manifest].count == 1)
  }

  @Test("signals have their outcome in the order in which they were requested")
  mutating func signals() {
    for signal in ["TERM", "HUP"] {
      conditionWaiters.add(
        PendingSignal(
          session: SessionIdentifier(high: 0, low: 1),
          process: ClientProcess(pid: 101, startTime: 7), signal: signal,
          sender: ClientReference(name: "scenectl", pid: 9), requester: requester(2)))
    }
    let signals = (1...3).map { _ in conditionWaiters.completeSignal()?.signal }
    #expect(signals == ["TERM", "HUP", nil])
  }

  @Test("each condition keeps its waiters in order, and no condition stays without one")
  mutating func flaws() {
    for connection in UInt64(1)...3 {
      conditionWaiters.wait(for: .settled, requester(connection))
      conditionWaiters.wait(for: .clock, requester(connection))
    }
    #expect(conditionWaiters.flaws == [])
    let second = requester(2)
    _ = conditionWaiters.complete(.settled) { $0.requester == second }
    conditionWaiters.drop(.settled, of: ConnectionIdentifier(1))
    #expect(conditionWaiters.flaws == [])
    _ = conditionWaiters.complete(.settled)
    for _ in 1...3 { _ = conditionWaiters.completeFirst(.clock) }
    #expect(conditionWaiters.flaws == [])
  }

  @Test("waiters of a closed connection are removed")
  mutating func drop() {
    conditionWaiters.wait(for: .settled, requester(1))
    conditionWaiters.wait(for: .settled, requester(2))
    conditionWaiters.drop(.settled, of: ConnectionIdentifier(1))
    #expect(conditionWaiters[.settled].map(\.requester) == [requester(2)])
  }
}
