import SceneModel
import SceneScript
import Testing

@Suite("A timeline of fifty processes")
struct FiftyProcessesTests {
  static var fifty: TraceFixture {
    var fixture = TraceFixture()
    for pid in 101...150 as ClosedRange<Int64> {
      fixture.join(pid)
      if pid % 5 == 0 { fixture.call(Int(pid % 7), pid, "willConnect") }
    }
    fixture.answer(3, 115, "willConnect")
    fixture.leave(140)
    fixture.join(151)
    return fixture
  }

  @Test("many lanes have no gap")
  func text() {
    let rows = drawing(Self.fifty).split(separator: "\n").dropFirst(61)
    #expect(
      rows.joined(separator: "\n") == """
        │││││┃││││┃││││▲││││┃││││┃││││┃││││┃││││┃││││┃││││┃  0.060  attendees  ← willConnect
        │││││┃││││┃│││││││││┃││││┃││││┃││││┃││││┴││││┃││││┃  0.061             scene 140 left
        │││││┃││││┃│││││││││┃││││┃││││┃││││┃││││┬││││┃││││┃  0.062             scene 151 joined
        scene 105 has not answered willConnect of packing, sent at 0.005
        scene 110 has not answered willConnect of packing, sent at 0.011
        scene 120 has not answered willConnect of itinerary, sent at 0.023
        scene 125 has not answered willConnect of itinerary, sent at 0.029
        scene 130 has not answered willConnect of budget, sent at 0.035
        scene 135 has not answered willConnect of road-trip, sent at 0.041
        scene 145 has not answered willConnect of packing, sent at 0.053
        scene 150 has not answered willConnect of attendees, sent at 0.059
        """)
  }

  @Test("lanes that do not fit share the last column, and each row names its process")
  func shared() {
    let lines = drawing(Self.fifty, TimelineText.Format(columns: 80)).split(separator: "\n")
    #expect(
      lines[53..<64].joined(separator: "\n") == """
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.052             scene 145 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││▼  0.053  packing    scene 145: → willConnect
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.054             scene 146 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.055             scene 147 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.056             scene 148 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.057             scene 149 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.058             scene 150 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││▼  0.059  attendees  scene 150: → willConnect
        │││││┃││││┃││││▲││││┃││││┃││││┃││││┃  0.060  attendees  ← willConnect
        │││││┃││││┃│││││││││┃││││┃││││┃││││┴  0.061             scene 140 left
        │││││┃││││┃│││││││││┃││││┃││││┃││││┬  0.062             scene 151 joined
        """)
  }
}
