import SceneModel
import Testing

@testable import SceneBroker

struct ClockTests {
  @Test("a real clock is not advanced")
  func real() {
    let fixture = BrokerFixture()
    let control = fixture.control()
    #expect(control.hears(AdvanceClock(seconds: 1)) == ["2 notPermitted"])
  }
}
