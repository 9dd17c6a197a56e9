import SceneModel
import SceneScript
import SceneTestSupport
import Testing

@Suite("Lanes")
struct GoldenLaneTests {
  @Test("a new process gets the leftmost free lane")
  func reused() throws {
    var fixture = TraceFixture()
    for pid in [1, 2, 3] as [Int64] { fixture.join(pid) }
    fixture.leave(2)
    fixture.join(4)
    fixture.leave(1)
    fixture.leave(3)
    fixture.join(5)
    fixture.join(6)
    fixture.leave(5)
    // A reused process identifier is another process.
    fixture.join(1)
    try GoldenFile.expect(drawing(fixture), equals: "timeline/reused.txt")
  }

  @Test("a lane ends with the last connection of its process")
  func twice() throws {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.join(1)
    fixture.leave(1)
    fixture.join(2)
    fixture.leave(1)
    fixture.join(3)
    try GoldenFile.expect(drawing(fixture), equals: "timeline/twice.txt")
  }

  @Test("the lane of a process that did not join ends with its last event")
  func unseen() throws {
    var fixture = TraceFixture()
    fixture.answer(0, 1, "willConnect")
    fixture.disconnect(0, 1, "reclaimed")
    fixture.connect(0, 2, "activation")
    fixture.call(0, 2, "willConnect")
    fixture.join(3)
    try GoldenFile.expect(drawing(fixture), equals: "timeline/unseen.txt")
  }

  @Test("callbacks without an answer extend to the end and are listed")
  func unanswered() throws {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.call(0, 1, "willResignActive")
    fixture.call(1, 1, "didBecomeActive")
    fixture.answer(1, 1, "didBecomeActive")
    fixture.join(2)
    fixture.call(2, 2, "willConnect")
    fixture.leave(2)
    fixture.join(3)
    try GoldenFile.expect(drawing(fixture), equals: "timeline/unanswered.txt")
  }

  @Test("processes that join the next broker keep their lanes, and the others end")
  func restart() throws {
    var fixture = TraceFixture()
    for pid in [1, 2, 3] as [Int64] { fixture.join(pid) }
    fixture.connect(0, 1)
    fixture.call(0, 1, "willConnect")
    fixture.restart(after: 2500)
    fixture.wait(30)
    fixture.join(4)
    fixture.join(3)
    fixture.join(1)
    fixture.connect(0, 1, "resume")
    fixture.restart(after: 10)
    fixture.join(3)
    try GoldenFile.expect(drawing(fixture), equals: "timeline/restart.txt")
  }

  @Test(
    "a process that starts later than one with its number is not the same",
    arguments: [(7, nil, 1), (7, 7, 1), (7, 8, 2)] as [(UInt64?, UInt64?, Int)],
    [false, true])
  func anotherStart(_ times: (UInt64?, UInt64?, Int), isLaunched: Bool) {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.tell(.connected, 0, 1) { $0.client?.startTime = times.0 }
    fixture.restart(after: 10)
    if isLaunched { fixture.tell(.launched, 0, 1) }
    fixture.join(1)
    fixture.tell(.connected, 0, 1) { $0.client?.startTime = times.1 }
    let timeline = Timeline(TraceLog(fixture.entries))
    #expect(timeline.processes.count == (isLaunched ? 2 : times.2))
  }

  @Test("a trace without its first entries says so")
  func beginning() {
    var fixture = TraceFixture()
    for pid in [1, 2, 3] as [Int64] { fixture.join(pid) }
    let text = TimelineText(Timeline(TraceLog(Array(fixture.entries[1...])))).text(title: "default")
    #expect(text.hasPrefix("default: 2 processes, 0 sessions, 0.001 s from"))
    #expect(text.contains("UTC, without the entries before 2\n"))
  }

  @Test("extreme times do not overflow")
  func hostileTimes() {
    var fixture = TraceFixture()
    for (index, time) in [Int64.min, .max, 0, .max, .min].enumerated() {
      fixture.tell(.joined, nil, Int64(index)) {
        $0.time = time
        $0.elapsed = index % 2 == 0 ? .max : .min
      }
    }
    #expect(drawing(fixture).split(separator: "\n").count > 5)
  }
}
