import ScenePlatform
import Synchronization
import Testing

@Suite("Threads and condition mutexes")
struct ThreadTests {
  @Test("joining waits for the body")
  func join() throws {
    let done = Mutex(false)
    let wait = ConditionMutex(false)
    try withThread("a name that is longer than fifteen bytes") {
      _ = wait.wait { $0 ? true : nil }
      done.withLock { $0 = true }
    } body: {
      #expect(done.withLock { $0 } == false)
      wait.withLock { $0 = true }
    }
    #expect(done.withLock { $0 })
  }

  private func withThread(
    _ name: String, run: @escaping @Sendable () -> Void, body: () -> Void
  ) throws {
    let thread = try Thread(name, body: run)
    body()
    thread.join()
  }

  @Test("threads hand values to each other, in order")
  func handOver() throws {
    let queue = ConditionMutex<[Int]>([])
    let thread = try Thread("producer") {
      for number in 0..<1000 { queue.withLock { $0.append(number) } }
    }
    var received: [Int] = []
    while received.count < 1000 {
      received +=
        queue.wait { items -> [Int]? in
          defer { items.removeAll() }
          return items.isEmpty ? nil : items
        } ?? []
    }
    thread.join()
    #expect(received == Array(0..<1000))
  }

  @Test("a wait returns nil at its deadline")
  func deadline() {
    let monitor = ConditionMutex(0)
    let deadline = SystemClock.monotonic() + 1_000_000
    #expect(monitor.wait(until: deadline) { $0 > 0 ? $0 : nil } == nil)
    #expect(SystemClock.monotonic() >= deadline)
    monitor.withLock { $0 = 5 }
    #expect(monitor.wait(until: 0) { $0 > 0 ? $0 : nil } == 5)
  }
}

@Suite("Clocks")
struct ClockTests {
  @Test("the monotonic clock never goes back, and the wall clock shows the current year")
  func clocks() {
    let first = SystemClock.monotonic()
    #expect(SystemClock.monotonic() >= first)
    #expect(first > 0)
    // 2024 and 2262, in nanoseconds since 1970.
    #expect((1_704_067_200_000_000_000...Int64.max).contains(SystemClock.wall()))
  }
}
