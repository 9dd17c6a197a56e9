/// A time in which no client is accepted, because the last attempt failed.
struct AcceptPause {
  /// When the next attempt is due if no descriptor is closed before; by the monotonic clock.
  let end: Int64
  private let openDescriptors: Int

  /// In nanoseconds. Descriptors that other processes close become free without any notice.
  private static let longest: Int64 = 1_000_000_000

  init(at now: Int64, openDescriptors: Int) {
    end = now + Self.longest
    self.openDescriptors = openDescriptors
  }

  /// Whether the pause has ended, or a descriptor was closed since and is free for a client.
  func isOver(at now: Int64, openDescriptors: Int) -> Bool {
    now >= end || openDescriptors < self.openDescriptors
  }
}
