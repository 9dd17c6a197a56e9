import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

@Suite("The timer service")
struct TimerServiceTests {
  private let client = ConnectionIdentifier(1)
  private let start = Instant(monotonic: 1_000, wall: 5)

  private func expired(_ timers: inout TimerService) -> [TimerKey] {
    var keys: [TimerKey] = []
    while let key = timers.takeExpired() { keys.append(key) }
    return keys
  }

  private func completes(_ timers: inout TimerService) -> Bool { timers.completeAdvance() }

  private func pass(_ time: Int64, in timers: inout TimerService) {
    timers.beginIteration(at: Instant(monotonic: timers.machineTime + time, wall: 5))
  }

  @Test("a timer runs on the clock of its key")
  func clocks() {
    var timers = TimerService(.virtual, at: start)
    timers.set(.frame(client), after: Interval(nanoseconds: 10))
    timers.set(.broker(.reservations), after: Interval(nanoseconds: 10))
    pass(100, in: &timers)
    #expect(expired(&timers) == [.frame(client)])
    timers.advanceClock(by: Interval(nanoseconds: 10))
    timers.moveClock()
    #expect(expired(&timers) == [.broker(.reservations)])
    #expect(completes(&timers))
    #expect(timers.now.monotonic == 1_010)
  }

  @Test("timers of the application expire before timers of the machine")
  func order() {
    var timers = TimerService(.real, at: start)
    timers.set(.frame(client), after: Interval(nanoseconds: 1))
    timers.set(.broker(.reservations), after: Interval(nanoseconds: 2))
    pass(2, in: &timers)
    #expect(expired(&timers) == [.broker(.reservations), .frame(client)])
  }

  @Test("setting a timer moves it, canceling removes it, on both clocks")
  func moving() {
    for key in [TimerKey.frame(client), .broker(.reservations)] {
      var timers = TimerService(.real, at: start)
      timers.set(key, after: Interval(nanoseconds: 1))
      timers.set(key, after: Interval(nanoseconds: 7))
      #expect(timers.due(key) == 1_007)
      timers.cancel(key)
      #expect(timers.due(key) == nil)
      pass(100, in: &timers)
      #expect(expired(&timers).isEmpty)
    }
  }

  @Test("an extension never takes time away, on both clocks")
  func extending() {
    for key in [TimerKey.frame(client), .broker(.callback(client, 1))] {
      var timers = TimerService(.real, at: start)
      timers.extend(key, by: Interval(nanoseconds: 5))
      timers.extend(key, by: Interval(nanoseconds: 2))
      #expect(timers.due(key) == 1_005)
      timers.extend(key, by: Interval(nanoseconds: 9))
      #expect(timers.due(key) == 1_009)
    }
  }

  @Test("setting, extending and canceling a timer end its postponement")
  func postponed() {
    let changes: [(inout TimerService) -> Void] = [
      { $0.set(.broker(.reservations), after: .seconds(1)) },
      { $0.extend(.broker(.reservations), by: .seconds(1)) },
      { $0.cancel(.broker(.reservations)) },
    ]
    for change in changes {
      var timers = TimerService(.real, at: start)
      timers.postpone(.broker(.reservations), iteration: 1, atMost: .seconds(1))
      #expect(!timers.postponed.isEmpty)
      change(&timers)
      #expect(timers.postponed.isEmpty)
    }
  }

  @Test("a timer that is running and postponed is a flaw")
  func flaws() {
    var timers = TimerService(.real, at: start)
    timers.set(.broker(.reservations), after: .seconds(1))
    timers.set(.frame(client), after: .seconds(1))
    #expect(timers.flaws == [])
    timers.postpone(.broker(.reservations), iteration: 1, atMost: .seconds(1))
    #expect(timers.flaws == ["\(TimerKey.broker(.reservations)) is running and postponed"])
  }

  @Test("a virtual clock stops at each timer, and while a timer is postponed")
  func steps() {
    var timers = TimerService(.virtual, at: start)
    timers.set(.broker(.reservations), after: Interval(nanoseconds: 4))
    timers.advanceClock(by: Interval(nanoseconds: 10))
    timers.moveClock()
    #expect(timers.now.monotonic == 1_004)
    #expect(!completes(&timers))
    #expect(expired(&timers) == [.broker(.reservations)])
    timers.postpone(.broker(.reservations), iteration: 1, atMost: .seconds(1))
    #expect(!timers.canMoveClock)
    #expect(timers.takePostponed(iteration: 2) { _ in false } == [.broker(.reservations)])
    timers.moveClock()
    #expect(completes(&timers))
    #expect(timers.now.monotonic == 1_010)
  }

  @Test("time in which the process did not run extends the timers of running clocks only")
  func missedTime() {
    for (kind, grace) in [(ClockKind.real, Int64(1_030)), (.virtual, 1_010)] {
      var timers = TimerService(kind, at: start)
      timers.set(.frame(client), after: Interval(nanoseconds: 10))
      timers.set(.broker(.reservations), after: Interval(nanoseconds: 10))
      timers.extendAll(by: 20)
      #expect(timers.due(.frame(client)) == 1_030)
      #expect(timers.due(.broker(.reservations)) == grace)
    }
  }

  @Test("the next wake-up is the earliest time of a running clock")
  func wakeUp() {
    var timers = TimerService(.real, at: start)
    #expect(timers.nextWakeUp { _ in false } == nil)
    timers.set(.frame(client), after: Interval(nanoseconds: 30))
    timers.set(.broker(.reservations), after: Interval(nanoseconds: 20))
    #expect(timers.nextWakeUp { _ in false } == 1_020)
    timers.postpone(.linger(client), on: client, iteration: 1, atMost: Interval(nanoseconds: 9))
    #expect(timers.nextWakeUp { _ in false } == 1_000)
    #expect(timers.nextWakeUp { _ in true } == 1_009)
    var still = TimerService(.virtual, at: start)
    still.set(.broker(.reservations), after: Interval(nanoseconds: 20))
    #expect(still.nextWakeUp { _ in false } == nil)
    still.advanceClock(by: Interval(nanoseconds: 1))
    #expect(still.nextWakeUp { _ in false } == 1_000 + TimerService.pollInterval.nanoseconds)
  }
}
