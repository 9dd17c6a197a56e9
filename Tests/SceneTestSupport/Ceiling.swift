import ScenePlatform

/// The longest time that a test waits for a condition. No operation is measured by it: on an idle
/// machine every wait ends at once.
package let ceiling: Int64 = 180_000_000_000

/// The things that a test polls, because no event reports their changes.
package enum Polled: Sendable {
  /// Files of another process. inotify reports only the directory that it watches, which may not
  /// exist yet, and kqueue reports no writes.
  case files
  /// A process that is not a child of the test: its exit wakes no waiter.
  case processes
  /// The descriptors or threads of another process: `/proc` reports no changes.
  case procFiles
  /// A state of the broker that no notification reports, such as the number of its connections.
  case broker
  /// A property that another thread of the test process sets, without a lock to wait on.
  case property
}

/// Checks a condition until it holds. Use this only if no event reports the change.
package func eventually(
  _ what: String, polling polled: Polled, _ isSo: () throws -> Bool
) throws {
  let deadline = SystemClock.monotonic() + ceiling
  while try !isSo() {
    guard SystemClock.monotonic() < deadline else {
      throw Unmet("timed out: \(what) (\(polled))")
    }
    // The pause gives the processor to other processes. No test depends on its length.
    rest(until: SystemClock.monotonic() + 2_000_000)
  }
}

/// Waits until a time of the monotonic clock. Only for tests that are about time.
package func rest(until time: Int64) {
  _ = ConditionMutex(()).wait(until: time) { _ -> Void? in nil }
}

/// A wait that reached its ceiling, or whose condition can no longer become true.
package struct Unmet: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
