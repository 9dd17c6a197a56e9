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
    #expect(
      drawing(Self.fifty) == """
        default: 51 processes, 7 sessions, 0.062 s from 2023-11-14 22:13:20 UTC
        │┬                                                   0.000             scene 101 joined
        ││┬                                                  0.001             scene 102 joined
        │││┬                                                 0.002             scene 103 joined
        ││││┬                                                0.003             scene 104 joined
        │││││┬                                               0.004             scene 105 joined
        │││││▼                                               0.005  packing    → willConnect
        │││││┃┬                                              0.006             scene 106 joined
        │││││┃│┬                                             0.007             scene 107 joined
        │││││┃││┬                                            0.008             scene 108 joined
        │││││┃│││┬                                           0.009             scene 109 joined
        │││││┃││││┬                                          0.010             scene 110 joined
        │││││┃││││▼                                          0.011  packing    → willConnect
        │││││┃││││┃┬                                         0.012             scene 111 joined
        │││││┃││││┃│┬                                        0.013             scene 112 joined
        │││││┃││││┃││┬                                       0.014             scene 113 joined
        │││││┃││││┃│││┬                                      0.015             scene 114 joined
        │││││┃││││┃││││┬                                     0.016             scene 115 joined
        │││││┃││││┃││││▼                                     0.017  attendees  → willConnect
        │││││┃││││┃││││┃┬                                    0.018             scene 116 joined
        │││││┃││││┃││││┃│┬                                   0.019             scene 117 joined
        │││││┃││││┃││││┃││┬                                  0.020             scene 118 joined
        │││││┃││││┃││││┃│││┬                                 0.021             scene 119 joined
        │││││┃││││┃││││┃││││┬                                0.022             scene 120 joined
        │││││┃││││┃││││┃││││▼                                0.023  itinerary  → willConnect
        │││││┃││││┃││││┃││││┃┬                               0.024             scene 121 joined
        │││││┃││││┃││││┃││││┃│┬                              0.025             scene 122 joined
        │││││┃││││┃││││┃││││┃││┬                             0.026             scene 123 joined
        │││││┃││││┃││││┃││││┃│││┬                            0.027             scene 124 joined
        │││││┃││││┃││││┃││││┃││││┬                           0.028             scene 125 joined
        │││││┃││││┃││││┃││││┃││││▼                           0.029  itinerary  → willConnect
        │││││┃││││┃││││┃││││┃││││┃┬                          0.030             scene 126 joined
        │││││┃││││┃││││┃││││┃││││┃│┬                         0.031             scene 127 joined
        │││││┃││││┃││││┃││││┃││││┃││┬                        0.032             scene 128 joined
        │││││┃││││┃││││┃││││┃││││┃│││┬                       0.033             scene 129 joined
        │││││┃││││┃││││┃││││┃││││┃││││┬                      0.034             scene 130 joined
        │││││┃││││┃││││┃││││┃││││┃││││▼                      0.035  budget     → willConnect
        │││││┃││││┃││││┃││││┃││││┃││││┃┬                     0.036             scene 131 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃│┬                    0.037             scene 132 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││┬                   0.038             scene 133 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃│││┬                  0.039             scene 134 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┬                 0.040             scene 135 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││▼                 0.041  road-trip  → willConnect
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃┬                0.042             scene 136 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃│┬               0.043             scene 137 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││┬              0.044             scene 138 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃│││┬             0.045             scene 139 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┬            0.046             scene 140 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││▼            0.047  packing    → willConnect
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃┬           0.048             scene 141 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃│┬          0.049             scene 142 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││┬         0.050             scene 143 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃│││┬        0.051             scene 144 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┬       0.052             scene 145 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││▼       0.053  packing    → willConnect
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃┬      0.054             scene 146 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃│┬     0.055             scene 147 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││┬    0.056             scene 148 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃│││┬   0.057             scene 149 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┬  0.058             scene 150 joined
        │││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││┃││││▼  0.059  attendees  → willConnect
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
