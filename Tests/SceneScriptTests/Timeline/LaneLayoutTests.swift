import SceneModel
import SceneScript
import Testing

@Suite("Lanes")
struct LaneLayoutTests {
  @Test("a new process gets the leftmost free lane")
  func reused() {
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
    #expect(
      drawing(fixture) == """
        default: 7 processes, 0 sessions, 0.010 s from 2023-11-14 22:13:20 UTC
        │ ┬      0.000  scene 1 joined
        │ │ ┬    0.001  scene 2 joined
        │ │ │ ┬  0.002  scene 3 joined
        │ │ ┴ │  0.003  scene 2 left
        │ │ ┬ │  0.004  scene 4 joined
        │ ┴ │ │  0.005  scene 1 left
        │   │ ┴  0.006  scene 3 left
        │ ┬ │    0.007  scene 5 joined
        │ │ │ ┬  0.008  scene 6 joined
        │ ┴ │ │  0.009  scene 5 left
        │ ┬ │ │  0.010  scene 1 joined

        """)
  }

  @Test("a lane ends with the last connection of its process")
  func twice() {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.join(1)
    fixture.leave(1)
    fixture.join(2)
    fixture.leave(1)
    fixture.join(3)
    #expect(
      drawing(fixture) == """
        default: 3 processes, 0 sessions, 0.005 s from 2023-11-14 22:13:20 UTC
        │ ┬    0.000  scene 1 joined
        │ ┬    0.001  scene 1 joined
        │ ┴    0.002  scene 1 left
        │ │ ┬  0.003  scene 2 joined
        │ ┴ │  0.004  scene 1 left
        │ ┬ │  0.005  scene 3 joined

        """)
  }

  @Test("the lane of a process that did not join ends with its last event")
  func unseen() {
    var fixture = TraceFixture()
    fixture.answer(0, 1, "willConnect")
    fixture.disconnect(0, 1, "reclaimed")
    fixture.connect(0, 2, "activation")
    fixture.call(0, 2, "willConnect")
    fixture.join(3)
    #expect(
      drawing(fixture) == """
        default: 3 processes, 1 session, 0.004 s from 2023-11-14 22:13:20 UTC
        │ ▲    0.000  packing  scene 1: ← willConnect
        │ ○    0.001  packing  disconnected (reclaimed)
        │ ●    0.002  packing  connected to scene 2 (activation)
        │ ▼    0.003  packing  → willConnect
        │ ┃ ┬  0.004           scene 3 joined
        scene 2 has not answered willConnect of packing, sent at 0.003

        """)
  }

  @Test("callbacks without an answer extend to the end and are listed")
  func unanswered() {
    var fixture = TraceFixture()
    fixture.join(1)
    fixture.call(0, 1, "willResignActive")
    fixture.call(1, 1, "didBecomeActive")
    fixture.answer(1, 1, "didBecomeActive")
    fixture.join(2)
    fixture.call(2, 2, "willConnect")
    fixture.leave(2)
    fixture.join(3)
    #expect(
      drawing(fixture) == """
        default: 3 processes, 3 sessions, 0.007 s from 2023-11-14 22:13:20 UTC
        │ ┬    0.000             scene 1 joined
        │ ▼    0.001  packing    → willResignActive
        │ ▼    0.002  itinerary  → didBecomeActive
        │ ▲    0.003  itinerary  ← didBecomeActive
        │ ┃ ┬  0.004             scene 2 joined
        │ ┃ ▼  0.005  road-trip  → willConnect
        │ ┃ ┴  0.006             scene 2 left
        │ ┃ ┬  0.007             scene 3 joined
        scene 1 has not answered willResignActive of packing, sent at 0.001

        """)
  }

  @Test("processes that join the next broker keep their lanes, and the others end")
  func restart() {
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
    #expect(
      drawing(fixture) == """
        default: 4 processes, 1 session, 2.549 s from 2023-11-14 22:13:20 UTC
        │ ┬      0.000           scene 1 joined
        │ │ ┬    0.001           scene 2 joined
        │ │ │ ┬  0.002           scene 3 joined
        │ ● │ │  0.003  packing  connected to scene 1 (launch)
        │ ▼ │ │  0.004  packing  → willConnect
        │ ┃ │ │      ⋮           2.501 s later
        ■ ┊   ┊  2.505           broker restarted
        │ ┊ ┬ ┊  2.535           scene 4 joined
        │ ┊ │ ┬  2.536           scene 3 joined
        │ ┬ │ │  2.537           scene 1 joined
        │ ● │ │  2.538  packing  connected to scene 1 (resume)
        ■     ┊  2.549           broker restarted
        │     ┬  2.549           scene 3 joined

        """)
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
