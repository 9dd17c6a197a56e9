import CScenePlatform

/// A mutex and a condition variable around one value.
///
/// `Synchronization.Mutex` is cheaper if no thread waits.
package final class ConditionMutex<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    initializeCondition(changed)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value, and wakes the waiting threads if the new value needs it.
  package func withLock<Result: Sendable>(
    wakingIf needsWake: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Result
  ) -> Result {
    pthread_mutex_lock(mutex)
    let result = body(&value)
    let wakes = needsWake(value)
    pthread_mutex_unlock(mutex)
    // A thread that wakes before the unlock must wait again.
    if wakes { pthread_cond_broadcast(changed) }
    return result
  }

  /// Waits until `body` returns a value; nil at the deadline.
  ///
  /// `body` runs now and after every change. `deadline` is a time of ``SystemClock/monotonic()``;
  /// nil waits without limit.
  package func wait<Result: Sendable>(
    until deadline: Int64? = nil, for body: (inout Value) -> Result?
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      pthread_cond_broadcast(changed)
    }
    while true {
      if let found = body(&value) { return found }
      guard let deadline else {
        pthread_cond_wait(changed, mutex)
        continue
      }
      if SystemClock.monotonic() >= deadline { return nil }
      waitForChange(until: deadline)
    }
  }

  private func waitForChange(until deadline: Int64) {
    waitForCondition(changed, mutex, until: deadline)
  }
}

extension timespec {
  init(nanoseconds: Int64) {
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
