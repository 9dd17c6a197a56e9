import SceneModel
import SceneScript
import Testing

func drawing(
  _ fixture: TraceFixture, about session: Int? = nil,
  _ format: TimelineText.Format = TimelineText.Format()
) -> String {
  var log = TraceLog(fixture.entries)
  if let session { log = log.filtered(to: [identifier(session)]) }
  return TimelineText(Timeline(log), format: format).text(title: "default")
}

@Suite("A timeline as text")
struct TimelineTextTests {
  /// One scene enters the background, one crashes, and one hangs.
  static var five: TraceFixture {
    var fixture = TraceFixture()
    for (session, pid) in [(0, 11), (1, 12), (2, 13)] as [(Int, Int64)] {
      fixture.join(pid)
      fixture.tell(.created, session) { $0.by = ClientReference(name: "scene", pid: pid) }
      fixture.connect(session, pid)
      fixture.call(session, pid, "willConnect")
    }
    fixture.answer(1, 12, "willConnect")
    fixture.answer(0, 11, "willConnect")
    fixture.wait(150)
    fixture.answer(2, 13, "willConnect", .failed)
    fixture.tell(.joined, nil, 14) { $0.client?.name = "scenectl" }
    fixture.tell(.aimed, 0, 11) {
      $0.state = .background
      $0.by = ClientReference(name: "scenectl", pid: 14)
    }
    fixture.call(0, 11, "didEnterBackground")
    fixture.tell(.left, nil, 14) { $0.client?.name = "scenectl" }
    fixture.tell(.saved, 1, 12) { $0.generation = 3 }
    fixture.disconnect(1, 12, "connectionLost")
    fixture.leave(12)
    fixture.wait(5000)
    fixture.answer(0, 11, "didEnterBackground", .overran)
    fixture.disconnect(0, 11, "watchdog")
    fixture.tell(.discarded, 0)
    fixture.join(15)
    fixture.connect(1, 15, "recover")
    fixture.call(1, 15, "willConnect")
    fixture.tell(TraceEvent(rawValue: "renamed"), 2, 13)
    return fixture
  }

  @Test("five processes have five lanes")
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
        │ ◇ │ │ │  0.166  packing    target set to background by scenectl 14
        │ ▼ │ │ │  0.167  packing    → didEnterBackground
        │ ┃ │ │ ┴  0.168             scenectl 14 left
        │ ┃ ◆ │    0.169  itinerary  saved generation 3
        │ ┃ ○ │    0.170  itinerary  disconnected (connectionLost)
        │ ┃ ┴ │    0.171             scene 12 left
        │ ┃   │        ⋮             5.001 s later
        │ !   │    5.172  packing    didEnterBackground exceeded its budget, after 5.005 s
        │ ○   │    5.173  packing    disconnected (watchdog)
        - │   │    5.174  packing    discarded
        │ │ ┬ │    5.175             scene 15 joined
        │ │ ● │    5.176  itinerary  connected to scene 15 (recover)
        │ │ ▼ │    5.177  itinerary  → willConnect
        │ │ ┃ ·    5.178  road-trip  renamed
        scene 15 has not answered willConnect of itinerary, sent at 5.177

        """)
  }

  @Test("the timeline of one session keeps the times")
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
        scene 15 has not answered willConnect of itinerary, sent at 5.177

        """)
  }

  @Test("the ASCII format uses ASCII marks")
  func ascii() {
    #expect(
      drawing(Self.five, about: 1, TimelineText.Format(isASCII: true)) == """
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
        scene 15 has not answered willConnect of itinerary, sent at 5.177

        """)
  }

  @Test("long rows wrap, and the lanes continue")
  func narrow() {
    #expect(
      drawing(Self.five, about: 0, TimelineText.Format(columns: 48)) == """
        default: 1 process, 1 session, 5.174 s from
        2023-11-14 22:13:20 UTC
        │ ┬  0.000           scene 11 joined
        + │  0.001  packing  created by scene 11
        │ ●  0.002  packing  connected to scene 11
        │ │                  (launch)
        │ ▼  0.003  packing  → willConnect
        │ ▲  0.013  packing  ← willConnect
        │ ◇  0.166  packing  target set to background by
        │ │                  scenectl 14
        │ ▼  0.167  packing  → didEnterBackground
        │ ┃      ⋮           5.005 s later
        │ !  5.172  packing  didEnterBackground exceeded
        │ │                  its budget, after 5.005 s
        │ ○  5.173  packing  disconnected (watchdog)
        - │  5.174  packing  discarded

        """)
  }

  @Test("marks have colors")
  func colours() {
    var fixture = TraceFixture()
    fixture.join(11)
    fixture.call(0, 11, "willConnect")
    fixture.answer(0, 11, "willConnect", .failed)
    let text = drawing(fixture, TimelineText.Format(isColored: true))
    #expect(
      text.replacing("\u{1B}[", with: "^") == """
        ^1mdefault: 1 process, 1 session, 0.002 s from 2023-11-14 22:13:20 UTC^0m
        ^2m│ ^0m┬  0.000           scene 11 joined
        ^2m│ ^0m^33m▼^0m  0.001  packing  → willConnect
        ^2m│ ^0m^31m×^0m  0.002  packing  ^31m← willConnect failed^0m

        """)
  }

  @Test("an empty trace has one line")
  func nothing() {
    #expect(drawing(TraceFixture()) == "default: no events\n")
  }

  @Test("names of clients and sessions cannot control the terminal")
  func unsafe() {
    var fixture = TraceFixture()
    fixture.tell(.joined, nil, 11) { $0.client?.name = "a\u{1B}[31m\nb" }
    fixture.tell(.created, 0) { $0.name = "\u{202E}旅行" }
    #expect(
      drawing(fixture) == """
        default: 1 process, 1 session, 0.001 s from 2023-11-14 22:13:20 UTC
        │ ┬  0.000              a\\u001b[31m\\nb 11 joined
        + │  0.001  \\u202e旅行  created

        """)
    #expect(
      drawing(fixture, TimelineText.Format(isASCII: true)) == """
        default: 1 process, 1 session, 0.001 s from 2023-11-14 22:13:20 UTC
        | .  0.000                        a\\u001b[31m\\nb 11 joined
        + |  0.001  \\u{202e}\\u{65c5}\\u{~  created

        """)
  }
}
