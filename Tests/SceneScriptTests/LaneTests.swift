import SceneModel
import SceneScript
import Testing

@Suite("Lanes")
struct LaneTests {
  @Test("a lane is given to who comes after the one that had it; the leftmost that is free")
  func reused() {
    var tale = Tale()
    for pid in [1, 2, 3] as [Int64] { tale.join(pid) }
    tale.leave(2)
    tale.join(4)
    tale.leave(1)
    tale.leave(3)
    tale.join(5)
    tale.join(6)
    tale.leave(5)
    // The same number again is another process.
    tale.join(1)
    #expect(
      drawing(tale) == """
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

  @Test("a process that is connected twice goes with its last connection")
  func twice() {
    var tale = Tale()
    tale.join(1)
    tale.join(1)
    tale.leave(1)
    tale.join(2)
    tale.leave(1)
    tale.join(3)
    #expect(
      drawing(tale) == """
        default: 3 processes, 0 sessions, 0.005 s from 2023-11-14 22:13:20 UTC
        │ ┬    0.000  scene 1 joined
        │ ┬    0.001  scene 1 joined
        │ ┴    0.002  scene 1 left
        │ │ ┬  0.003  scene 2 joined
        │ ┴ │  0.004  scene 1 left
        │ ┬ │  0.005  scene 3 joined

        """)
  }

  @Test("of a process that was not seen to join, its lane has what is told of it")
  func unseen() {
    var tale = Tale()
    tale.answer(0, 1, "willConnect")
    tale.disconnect(0, 1, "reclaimed")
    tale.connect(0, 2, "activation")
    tale.call(0, 2, "willConnect")
    tale.join(3)
    #expect(
      drawing(tale) == """
        default: 3 processes, 1 session, 0.004 s from 2023-11-14 22:13:20 UTC
        │ ▲    0.000  packing  scene 1: ← willConnect
        │ ○    0.001  packing  disconnected (reclaimed)
        │ ●    0.002  packing  connected to scene 2 (activation)
        │ ▼    0.003  packing  → willConnect
        │ ┃ ┬  0.004           scene 3 joined
        scene 2 has not answered willConnect of packing, asked at 0.003

        """)
  }

  @Test("callbacks that nobody answered are waited for to the end, and told")
  func unanswered() {
    var tale = Tale()
    tale.join(1)
    tale.call(0, 1, "willResignActive")
    tale.call(1, 1, "didBecomeActive")
    tale.answer(1, 1, "didBecomeActive")
    tale.join(2)
    tale.call(2, 2, "willConnect")
    tale.leave(2)
    tale.join(3)
    #expect(
      drawing(tale) == """
        default: 3 processes, 3 sessions, 0.007 s from 2023-11-14 22:13:20 UTC
        │ ┬    0.000             scene 1 joined
        │ ▼    0.001  packing    → willResignActive
        │ ▼    0.002  itinerary  → didBecomeActive
        │ ▲    0.003  itinerary  ← didBecomeActive
        │ ┃ ┬  0.004             scene 2 joined
        │ ┃ ▼  0.005  road-trip  → willConnect
        │ ┃ ┴  0.006             scene 2 left
        │ ┃ ┬  0.007             scene 3 joined
        scene 1 has not answered willResignActive of packing, asked at 0.001

        """)
  }

  @Test("processes that join the next broker keep their lanes, the others are gone")
  func restart() {
    var tale = Tale()
    for pid in [1, 2, 3] as [Int64] { tale.join(pid) }
    tale.connect(0, 1)
    tale.call(0, 1, "willConnect")
    tale.restart(after: 2500)
    tale.wait(30)
    tale.join(4)
    tale.join(3)
    tale.join(1)
    tale.connect(0, 1, "resume")
    tale.restart(after: 10)
    tale.join(3)
    #expect(
      drawing(tale) == """
        default: 4 processes, 1 session, 2.549 s from 2023-11-14 22:13:20 UTC
        │ ┬      0.000           scene 1 joined
        │ │ ┬    0.001           scene 2 joined
        │ │ │ ┬  0.002           scene 3 joined
        │ ● │ │  0.003  packing  connected to scene 1 (launch)
        │ ▼ │ │  0.004  packing  → willConnect
        │ ┃ │ │      ⋮           2.501 s later
        ■ ┊   ┊  2.505           another broker takes over
        │ ┊ ┬ ┊  2.535           scene 4 joined
        │ ┊ │ ┬  2.536           scene 3 joined
        │ ┬ │ │  2.537           scene 1 joined
        │ ● │ │  2.538  packing  connected to scene 1 (resume)
        ■     ┊  2.549           another broker takes over
        │     ┬  2.549           scene 3 joined

        """)
  }

  @Test("a story that does not begin at its beginning says so")
  func beginning() {
    var tale = Tale()
    for pid in [1, 2, 3] as [Int64] { tale.join(pid) }
    let text = TimelineText(Timeline(TraceStory(Array(tale.entries[1...])))).text(title: "default")
    #expect(text.hasPrefix("default: 2 processes, 0 sessions, 0.001 s from"))
    #expect(text.contains("UTC, without what was before entry 2\n"))
  }

  @Test("times out of every proportion are drawn, too")
  func hostileTimes() {
    var tale = Tale()
    for (index, time) in [Int64.min, .max, 0, .max, .min].enumerated() {
      tale.tell(.joined, nil, Int64(index)) {
        $0.time = time
        $0.elapsed = index % 2 == 0 ? .max : .min
      }
    }
    #expect(drawing(tale).split(separator: "\n").count > 5)
  }
}
