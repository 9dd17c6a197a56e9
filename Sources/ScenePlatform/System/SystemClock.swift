/// The two clocks of the system, in nanoseconds.
package enum SystemClock {
  /// The monotonic time since an unspecified moment of this boot. The clock stops while the machine
  /// sleeps.
  package static func monotonic() -> Int64 {
    read(monotonicClock)
  }

  /// Waits until a time of the monotonic clock. Use it only where no event announces a condition.
  package static func wait(until time: Int64) {
    _ = ConditionMutex(()).wait(until: time) { _ -> Void? in nil }
  }

  /// Nanoseconds since 1970. The clock may jump, so use it only for display.
  package static func wall() -> Int64 {
    read(CLOCK_REALTIME)
  }

  /// The time since the start of the machine, which also counts while the machine sleeps.
  package static func sinceBoot() -> Int64 { read(clockSinceBoot) }

  /// The wall time at which the machine started.
  package static func wallAtBoot() -> Int64 {
    wall() - sinceBoot()
  }

  private static func read(_ clock: ClockName) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.nanoseconds
  }
}

extension timespec {
  var nanoseconds: Int64 {
    Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec)
  }
}
