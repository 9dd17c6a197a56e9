import ScenePlatform

/// How long a test waits for a condition before it calls the wait a failure. Never how long
/// anything takes: on a quiet machine every wait ends at once.
package let ceiling: Int64 = 180_000_000_000

/// Asks again and again until it is so. For what nobody tells of by itself.
package func eventually(_ what: String, _ isSo: () throws -> Bool) throws {
  let deadline = SystemClock.monotonic() + ceiling
  while try !isSo() {
    guard SystemClock.monotonic() < deadline else {
      throw Unmet("it never came about that \(what)")
    }
    // Between two looks the processor is left to those who have something to do. Nothing depends
    // on how long.
    rest(until: SystemClock.monotonic() + 2_000_000)
  }
}

/// Lets time pass, by the monotonic clock. For what is about time itself.
package func rest(until time: Int64) {
  _ = ConditionMutex(()).wait(until: time) { _ -> Void? in nil }
}

/// A wait that reached its ceiling, or met the end of what it waited on.
package struct Unmet: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
