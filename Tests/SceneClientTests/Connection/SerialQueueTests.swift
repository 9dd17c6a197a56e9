import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

struct SerialQueueTests {
  @Test("the work of one queue runs in order, one item at a time")
  func order() throws {
    let queues = SerialQueues<Int>("test")
    defer { queues.close() }
    let done = ConditionMutex<[Int: [Int]]>([:])
    let working = ConditionMutex<[Int: Int]>([:])
    for number in 0..<500 {
      for key in 0..<4 {
        queues.add(to: key) {
          let others = working.withLock { working in
            working[key, default: 0] += 1
            return working[key] ?? 0
          }
          #expect(others == 1)
          working.withLock { $0[key, default: 0] -= 1 }
          done.withLock { $0[key, default: []].append(number) }
        }
      }
    }
    let deadline = SystemClock.monotonic() + ceiling
    let all = done.wait(until: deadline) { done in
      done.values.map(\.count).reduce(0, +) == 2000 ? done : nil
    }
    #expect(try #require(all).values.allSatisfy { $0 == Array(0..<500) })
  }

  @Test("work that does not end blocks only its own queue, however many queues there are")
  func independence() throws {
    let queues = SerialQueues<Int>("test")
    defer { queues.close() }
    let gate = ConditionMutex(false)
    for key in 0..<20 { queues.add(to: key) { _ = gate.wait { $0 ? true : nil } } }
    let done = ConditionMutex(false)
    queues.add(to: 20) { done.withLock { $0 = true } }
    let deadline = SystemClock.monotonic() + ceiling
    #expect(done.wait(until: deadline) { $0 ? true : nil } == true)
    gate.withLock { $0 = true }
  }

  @Test("work that is added during work runs after it")
  func nested() {
    let queues = SerialQueues<Int>("test")
    defer { queues.close() }
    let done = ConditionMutex<[String]>([])
    queues.add(to: 1) {
      queues.add(to: 1) { done.withLock { $0.append("second") } }
      done.withLock { $0.append("first") }
    }
    let deadline = SystemClock.monotonic() + ceiling
    #expect(done.wait(until: deadline) { $0.count == 2 ? $0 : nil } == ["first", "second"])
  }

  @Test("work that has not started is dropped when the queues close")
  func closing() {
    let queues = SerialQueues<Int>("test")
    let (began, gate) = (ConditionMutex(false), ConditionMutex(false))
    let done = ConditionMutex(0)
    queues.add(to: 1) {
      began.withLock { $0 = true }
      _ = gate.wait { $0 ? true : nil }
      done.withLock { $0 += 1 }
    }
    queues.add(to: 1) { done.withLock { $0 += 10 } }
    let deadline = SystemClock.monotonic() + ceiling
    _ = began.wait(until: deadline) { $0 ? true : nil }
    queues.close()
    queues.add(to: 2) { done.withLock { $0 += 100 } }
    gate.withLock { $0 = true }
    #expect(done.wait(until: deadline) { $0 > 0 ? $0 : nil } == 1)
  }
}
