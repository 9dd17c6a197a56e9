import ScenePlatform
import SceneTestSupport
import Testing

@Suite("Output of a queue")
struct OutputQueueTests {
  private let line = String(repeating: "x", count: 999) + "\n"

  @Test("a reader that does not read delays no caller, and loses only what it is told about")
  func unread() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let number = pipe.takeSecond().release()
    let queue = OutputQueue(to: number)
    var taken = 0
    while queue.offer(line, required: false) { taken += 1 }
    #expect(queue.isBehind)
    #expect(!queue.wait(until: SystemClock.monotonic()))
    let isTaken = queue.offer("the end\n", required: true)
    #expect(isTaken)
    var count = 0
    let buffer = InputBuffer()
    while count < taken * line.utf8.count + 8 { count += try reading.read(into: buffer.bytes) }
    queue.wait(until: nil)
    #expect(!queue.isBehind)
    #expect(queue.failure == nil)
    // The thread of the queue has written all and uses the descriptor no more.
    FileDescriptor(adopting: number).close()
  }

  @Test("an error is reported once, and the next text is written")
  func failure() throws {
    let full = try File.open("/dev/full", .write)
    let queue = OutputQueue(to: full.number)
    let reports = ConditionMutex(0)
    queue.onFailure { reports.withLock { $0 += 1 } }
    for _ in 0..<3 {
      _ = queue.offer(line, required: true)
      queue.wait(until: nil)
    }
    #expect(reports.wait { $0 > 0 ? $0 : nil } == 1)
    #expect(queue.failure == .noSpace)
  }
}
