import CScenePlatform

/// A condition whose deadlines are times of the monotonic clock.
func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
  var attributes = pthread_condattr_t()
  pthread_condattr_init(&attributes)
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
  pthread_cond_init(condition, &attributes)
  pthread_condattr_destroy(&attributes)
}

func waitForCondition(
  _ condition: UnsafeMutablePointer<pthread_cond_t>,
  _ mutex: UnsafeMutablePointer<pthread_mutex_t>, until deadline: Int64
) {
  var time = timespec(nanoseconds: deadline)
  pthread_cond_timedwait(condition, mutex, &time)
}

typealias NewThread = pthread_t
typealias ThreadArgument = UnsafeMutableRawPointer?

func nameThread(_ name: String) {
  // The kernel rejects a longer name.
  _ = platform_pthread_setname(
    pthread_self(), String(decoding: name.utf8.prefix(15), as: UTF8.self))
}

extension UInt {
  /// The handle of a thread is a number.
  init(bitPattern thread: pthread_t) { self.init(thread) }
}
