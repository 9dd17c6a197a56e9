import SceneBroker
import Testing

@testable import SceneServer

struct TimerQueueTests {
  private func timer(_ number: UInt64) -> TimerKey { .frame(ConnectionIdentifier(number)) }

  private func drain(_ queue: inout TimerQueue<TimerKey>, at now: Int64) -> [TimerKey] {
    var fired: [TimerKey] = []
    while let timer = queue.takeDue(at: now) { fired.append(timer) }
    return fired
  }

  @Test("prolonged timers stay in order, and timers without an end never expire")
  func prolonging() {
    var queue = TimerQueue<TimerKey>()
    queue.set(timer(1), at: 30)
    queue.set(timer(2), at: 10)
    queue.set(timer(3), at: .max)
    queue.prolong(by: 5)
    #expect(queue.due(timer(1)) == 35)
    queue.set(timer(4), at: 20)
    #expect(drain(&queue, at: 34) == [timer(2), timer(4)])
    #expect(drain(&queue, at: .max) == [timer(1), timer(3)])
  }

  @Test("the queue behaves like a sorted list, whatever the order of calls", arguments: 1...20)
  func likeAList(seed: UInt64) {
    var random = IdentifierGenerator(seed: seed)
    var queue = TimerQueue<TimerKey>()
    var list: [(due: Int64, number: Int, timer: TimerKey)] = []
    for number in 0..<2000 {
      let timer = timer(random.nextWord() % 40)
      switch random.nextWord() % 4 {
      case 0:
        queue.cancel(timer)
        list.removeAll { $0.timer == timer }
      case 1:
        let now = Int64(random.nextWord() % 1000)
        let due = list.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        #expect(drain(&queue, at: now) == due.map(\.timer), "seed \(seed)")
        list.removeAll { $0.due <= now }
      default:
        let due = Int64(random.nextWord() % 1000)
        queue.set(timer, at: due)
        list.removeAll { $0.timer == timer }
        list.append((due, number, timer))
      }
      #expect(queue.nextDue == list.map(\.due).min(), "seed \(seed)")
    }
  }
}
