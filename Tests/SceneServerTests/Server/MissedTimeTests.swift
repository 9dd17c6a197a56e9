import Testing

@testable import SceneServer

struct MissedTimeTests {
  private let second: Int64 = 1_000_000_000

  @Test("the wait before a late iteration and the late part of a long iteration count as missed")
  func beyondWait() {
    var missed = MissedTime(at: 5 * second)
    missed.endIteration(at: 5 * second, waiting: second)
    #expect(missed.beginIteration(at: 6 * second + MissedTime.tolerance) == 0)
    // The process was stopped in this wait, perhaps from its beginning.
    missed.endIteration(at: 6 * second + MissedTime.tolerance, waiting: second)
    #expect(missed.beginIteration(at: 13 * second + MissedTime.tolerance) == 7 * second)
    // The process was stopped in this iteration.
    missed.endIteration(at: 15 * second + MissedTime.tolerance, waiting: 0)
    #expect(
      missed.beginIteration(at: 15 * second + MissedTime.tolerance) == 2 * second
        - MissedTime.tolerance
    )
  }

  @Test("a freeze leaves each timer its remaining time, however short")
  func shortBudget() {
    let left = second / 5
    var timers = TimerQueue<Int>()
    timers.set(1, at: left)
    var missed = MissedTime(at: 0)
    missed.endIteration(at: 0, waiting: MissedTime.wait(before: left))
    let resumed = 60 * second
    timers.prolong(by: missed.beginIteration(at: resumed))
    #expect(timers.takeDue(at: resumed + left - 1) == nil)
    #expect(timers.takeDue(at: resumed + left) == 1)
  }

  @Test("no time is missed while no timer runs")
  func idle() {
    var missed = MissedTime(at: second)
    #expect(missed.beginIteration(at: 2 * second) == 0)
    missed.endIteration(at: 2 * second, waiting: nil)
    #expect(missed.beginIteration(at: 3600 * second) == 0)
  }

  @Test("a wait lasts an eighth of the remaining time, and ends with it")
  func cut() {
    #expect(MissedTime.wait(before: 0) == 0)
    #expect(MissedTime.wait(before: second / 10) == second / 10)
    #expect(MissedTime.wait(before: 8 * second) == second)
    // A few waits are enough to notice a stop before the time is over.
    var left = 5 * second
    var waits = 0
    while left > 0 {
      left -= MissedTime.wait(before: left)
      waits += 1
    }
    #expect(waits == 15)
  }
}
