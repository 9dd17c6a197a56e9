import SceneModel
import SceneScript
import Testing

func drawing(
  _ tale: Tale, about session: Int? = nil, _ look: TimelineText.Look = TimelineText.Look()
) -> String {
  var story = TraceStory(tale.entries)
  if let session { story = story.about([identifier(session)]) }
  return TimelineText(Timeline(story), look: look).text(title: "default")
}

@Suite("A timeline as text")
struct TimelineTextTests {
  /// One is put away, another crashes, a third hangs.
  static var five: Tale {
    var tale = Tale()
    for (session, pid) in [(0, 11), (1, 12), (2, 13)] as [(Int, Int64)] {
      tale.join(pid)
      tale.tell(.created, session) { $0.by = ClientReference(name: "scene", pid: pid) }
      tale.connect(session, pid)
      tale.call(session, pid, "willConnect")
    }
    tale.answer(1, 12, "willConnect")
    tale.answer(0, 11, "willConnect")
    tale.wait(150)
    tale.answer(2, 13, "willConnect", .failed)
    tale.tell(.joined, nil, 14) { $0.client?.name = "scenectl" }
    tale.tell(.aimed, 0, 11) {
      $0.state = .background
      $0.by = ClientReference(name: "scenectl", pid: 14)
    }
    tale.call(0, 11, "didEnterBackground")
    tale.tell(.left, nil, 14) { $0.client?.name = "scenectl" }
    tale.tell(.saved, 1, 12) { $0.generation = 3 }
    tale.disconnect(1, 12, "connectionLost")
    tale.leave(12)
    tale.wait(5000)
    tale.answer(0, 11, "didEnterBackground", .overran)
    tale.disconnect(0, 11, "watchdog")
    tale.tell(.discarded, 0)
    tale.join(15)
    tale.connect(1, 15, "recover")
    tale.call(1, 15, "willConnect")
    tale.tell(TraceEvent(rawValue: "renamed"), 2, 13)
    return tale
  }

  @Test("five processes")
  func fiveProcesses() {
    #expect(
      drawing(Self.five) == """
        default: 5 processes, 3 sessions, 5.178 s from 2023-11-14 22:13:20 UTC
        │ ┬        0.000             scene 11 joined
        + │        0.001  packing    created by scene 11
        │ ●        0.002  packing    connected to scene 11 (launch)
        │ ▼        0.003  packing    → willConnect
        │ ┃ ┬      0.004             scene 12 joined
        + ┃ │      0.005  itinerary  created by scene 12
        │ ┃ ●      0.006  itinerary  connected to scene 12 (launch)
        │ ┃ ▼      0.007  itinerary  → willConnect
        │ ┃ ┃ ┬    0.008             scene 13 joined
        + ┃ ┃ │    0.009  road-trip  created by scene 13
        │ ┃ ┃ ●    0.010  road-trip  connected to scene 13 (launch)
        │ ┃ ┃ ▼    0.011  road-trip  → willConnect
        │ ┃ ▲ ┃    0.012  itinerary  ← willConnect
        │ ▲ │ ┃    0.013  packing    ← willConnect
        │ │ │ ×    0.164  road-trip  ← willConnect failed, after 0.153 s
        │ │ │ │ ┬  0.165             scenectl 14 joined
        │ ◇ │ │ │  0.166  packing    aimed at background by scenectl 14
        │ ▼ │ │ │  0.167  packing    → didEnterBackground
        │ ┃ │ │ ┴  0.168             scenectl 14 left
        │ ┃ ◆ │    0.169  itinerary  saved generation 3
        │ ┃ ○ │    0.170  itinerary  disconnected (connectionLost)
        │ ┃ ┴ │    0.171             scene 12 left
        │ ┃   │        ⋮             5.001 s later
        │ !   │    5.172  packing    didEnterBackground overran its time, after 5.005 s
        │ ○   │    5.173  packing    disconnected (watchdog)
        - │   │    5.174  packing    discarded
        │ │ ┬ │    5.175             scene 15 joined
        │ │ ● │    5.176  itinerary  connected to scene 15 (recover)
        │ │ ▼ │    5.177  itinerary  → willConnect
        │ │ ┃ ·    5.178  road-trip  renamed
        scene 15 has not answered willConnect of itinerary, asked at 5.177

        """)
  }

  @Test("only what happened to one session, at the same times")
  func oneSession() {
    #expect(
      drawing(Self.five, about: 1) == """
        default: 2 processes, 1 session, 5.173 s from 2023-11-14 22:13:20 UTC
        │ ┬  0.004             scene 12 joined
        + │  0.005  itinerary  created by scene 12
        │ ●  0.006  itinerary  connected to scene 12 (launch)
        │ ▼  0.007  itinerary  → willConnect
        │ ▲  0.012  itinerary  ← willConnect
        │ ◆  0.169  itinerary  saved generation 3
        │ ○  0.170  itinerary  disconnected (connectionLost)
        │ ┴  0.171             scene 12 left
        │        ⋮             5.004 s later
        │ ┬  5.175             scene 15 joined
        │ ●  5.176  itinerary  connected to scene 15 (recover)
        │ ▼  5.177  itinerary  → willConnect
        scene 15 has not answered willConnect of itinerary, asked at 5.177

        """)
  }

  @Test("with plain characters")
  func ascii() {
    #expect(
      drawing(Self.five, about: 1, TimelineText.Look(isASCII: true)) == """
        default: 2 processes, 1 session, 5.173 s from 2023-11-14 22:13:20 UTC
        | .  0.004             scene 12 joined
        + |  0.005  itinerary  created by scene 12
        | @  0.006  itinerary  connected to scene 12 (launch)
        | v  0.007  itinerary  -> willConnect
        | ^  0.012  itinerary  <- willConnect
        | s  0.169  itinerary  saved generation 3
        | o  0.170  itinerary  disconnected (connectionLost)
        | '  0.171             scene 12 left
        |        :             5.004 s later
        | .  5.175             scene 15 joined
        | @  5.176  itinerary  connected to scene 15 (recover)
        | v  5.177  itinerary  -> willConnect
        scene 15 has not answered willConnect of itinerary, asked at 5.177

        """)
  }

  @Test("what is too wide goes on in the next line, and the lanes with it")
  func narrow() {
    #expect(
      drawing(Self.five, about: 0, TimelineText.Look(columns: 48)) == """
        default: 1 process, 1 session, 5.174 s from
        2023-11-14 22:13:20 UTC
        │ ┬  0.000           scene 11 joined
        + │  0.001  packing  created by scene 11
        │ ●  0.002  packing  connected to scene 11
        │ │                  (launch)
        │ ▼  0.003  packing  → willConnect
        │ ▲  0.013  packing  ← willConnect
        │ ◇  0.166  packing  aimed at background by
        │ │                  scenectl 14
        │ ▼  0.167  packing  → didEnterBackground
        │ ┃      ⋮           5.005 s later
        │ !  5.172  packing  didEnterBackground overran
        │ │                  its time, after 5.005 s
        │ ○  5.173  packing  disconnected (watchdog)
        - │  5.174  packing  discarded

        """)
  }

  @Test("colours")
  func colours() {
    var tale = Tale()
    tale.join(11)
    tale.call(0, 11, "willConnect")
    tale.answer(0, 11, "willConnect", .failed)
    let text = drawing(tale, TimelineText.Look(isColoured: true))
    #expect(
      text.replacing("\u{1B}[", with: "^") == """
        ^1mdefault: 1 process, 1 session, 0.002 s from 2023-11-14 22:13:20 UTC^0m
        ^2m│ ^0m┬  0.000           scene 11 joined
        ^2m│ ^0m^33m▼^0m  0.001  packing  → willConnect
        ^2m│ ^0m^31m×^0m  0.002  packing  ^31m← willConnect failed^0m

        """)
  }

  @Test("nothing")
  func nothing() {
    #expect(drawing(Tale()) == "default: nothing has happened\n")
  }

  @Test("what clients call themselves and their sessions cannot play with the terminal")
  func unsafe() {
    var tale = Tale()
    tale.tell(.joined, nil, 11) { $0.client?.name = "a\u{1B}[31m\nb" }
    tale.tell(.created, 0) { $0.name = "\u{202E}旅行" }
    #expect(
      drawing(tale) == """
        default: 1 process, 1 session, 0.001 s from 2023-11-14 22:13:20 UTC
        │ ┬  0.000              a\\u001b[31m\\nb 11 joined
        + │  0.001  \\u202e旅行  created

        """)
    #expect(
      drawing(tale, TimelineText.Look(isASCII: true)) == """
        default: 1 process, 1 session, 0.001 s from 2023-11-14 22:13:20 UTC
        | .  0.000                        a\\u001b[31m\\nb 11 joined
        + |  0.001  \\u{202e}\\u{65c5}\\u{~  created

        """)
  }
}
