typealias DirectoryStream = OpaquePointer

extension stat {
  var written: timespec { st_mtim }
}

typealias ClockName = Int32
var monotonicClock: ClockName { CLOCK_MONOTONIC }
var clockSinceBoot: ClockName { CLOCK_BOOTTIME }

extension Signal {
  /// The highest signal number + 1.
  static var end: Int32 { 65 }
}
