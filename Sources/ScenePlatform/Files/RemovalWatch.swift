/// Notices that files of this process were removed, such as its socket at a logout. The owner then
/// makes them again.
package final class RemovalWatch {
  private let poller: Poller
  private let token: UInt64
  /// Nil if the system reports no removals, and without a directory.
  private var watch: DirectoryWatch?
  /// When the owner makes missing files again, by the monotonic clock; nil for not at all.
  package private(set) var nextAttempt: Int64?

  /// Nanoseconds until an attempt, so that a removal of the directory can end.
  private static let delay: Int64 = 1_000_000_000
  /// Nanoseconds until the next attempt, and between two attempts without a watch.
  private static let interval: Int64 = 60_000_000_000

  package init(_ poller: Poller, token: UInt64) {
    self.poller = poller
    self.token = token
  }

  package var isDue: Bool { nextAttempt.map { $0 <= SystemClock.monotonic() } ?? false }

  /// Watches the directory of the files, which are in their place.
  package func follow(_ directory: String?) {
    end()
    if let directory, let watch = try? DirectoryWatch(removalsIn: directory),
      (try? poller.add(watch.number, token: token, interest: .readable)) != nil
    {
      self.watch = watch
    }
    markInPlace()
  }

  /// Call it when the poller has reported the token.
  package func check(isInPlace: Bool) {
    watch?.drain()
    if isInPlace { return markInPlace() }
    nextAttempt = min(nextAttempt ?? .max, SystemClock.monotonic() + Self.delay)
  }

  /// The files are in their place.
  package func markInPlace() {
    nextAttempt = watch == nil ? SystemClock.monotonic() + Self.interval : nil
  }

  /// The owner could not make the files.
  package func scheduleRetry() { nextAttempt = SystemClock.monotonic() + Self.interval }

  package func end() {
    // The call cannot fail: the poller has this descriptor.
    if let watch { try? poller.remove(watch.number) }
    watch = nil
    nextAttempt = nil
  }
}
