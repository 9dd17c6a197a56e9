import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

@Suite("The application's clock")
struct ApplicationClockTests {
  private let start = Instant(monotonic: 1_000_000_000, wall: 1_700_000_000_000)

  private func later(_ milliseconds: Int64) -> Instant {
    Instant(
      monotonic: start.monotonic + milliseconds * 1_000_000, wall: start.wall + milliseconds)
  }

  @Test("a virtual clock moves to each timer on the way, and not beyond the end of the advance")
  func steps() {
    var clock = ApplicationClock(.virtual, at: start)
    clock.move(to: later(5).monotonic)
    #expect(clock.now == start, "no advance was requested")
    clock.advance(by: .milliseconds(10))
    clock.move(to: later(4).monotonic)
    #expect(clock.now == later(4) && clock.isMoving)
    let isEarly = clock.arrive()
    clock.move(to: later(2).monotonic)
    #expect(clock.now == later(4), "a timer that was due does not turn the clock back")
    clock.move(to: later(11).monotonic)
    #expect(clock.now == later(10))
    let hasArrived = clock.arrive()
    #expect(!isEarly && hasArrived && !clock.isMoving)
  }

  @Test("an advance begins where the one before it ends")
  func advances() {
    var clock = ApplicationClock(.virtual, at: start)
    for _ in 1...2 { clock.advance(by: .milliseconds(10)) }
    for end in [Int64(10), 20] {
      clock.move(to: nil)
      #expect(clock.now == later(end))
      let hasArrived = clock.arrive()
      #expect(hasArrived)
    }
    let isAgain = clock.arrive()
    #expect(!isAgain)
  }
}
