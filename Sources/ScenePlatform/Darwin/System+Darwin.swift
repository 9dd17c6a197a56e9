#if canImport(Darwin)
  typealias DirectoryStream = UnsafeMutablePointer<DIR>

  extension stat {
    var written: timespec { st_mtimespec }
  }

  typealias ClockName = clockid_t
  var monotonicClock: ClockName { CLOCK_UPTIME_RAW }
  var clockSinceBoot: ClockName { CLOCK_MONOTONIC }

  extension Signal {
    /// The highest signal number + 1.
    static var end: Int32 { NSIG }
  }

  /// The C library. All files of this module see it.
  @_exported public import Darwin

  func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    pthread_cond_init(condition, nil)
  }

  func waitForCondition(
    _ condition: UnsafeMutablePointer<pthread_cond_t>,
    _ mutex: UnsafeMutablePointer<pthread_mutex_t>, until deadline: Int64
  ) {
    var time = timespec(nanoseconds: max(0, deadline - SystemClock.monotonic()))
    pthread_cond_timedwait_relative_np(condition, mutex, &time)
  }

  typealias NewThread = pthread_t?
  typealias ThreadArgument = UnsafeMutableRawPointer

  func nameThread(_ name: String) { pthread_setname_np(name) }

  extension User {
    /// The number of unmapped owners in this user namespace; nil outside a user namespace.
    static var unmapped: UInt32? {
      nil
    }

    static var homeInDatabase: String? {
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let code = getpwuid_r(geteuid(), &entry, start, buffer.count, &found)
        guard code == 0, found != nil, let home = entry.pw_dir else { return nil }
        return String(cString: home)
      }
    }
  }

  var usableProcessorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
#endif
