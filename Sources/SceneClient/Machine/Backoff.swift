import SceneModel

/// The delay before the next attempt. It doubles, with a random part, so that clients do not
/// attempt at the same time.
struct Backoff: Equatable {
  static let shortest = Interval.milliseconds(20)
  /// A restarted broker reserves sessions for their holders for 10 s. Several attempts must fit
  /// into that time.
  static let longest = Interval.seconds(2)

  private var attempts = 0

  mutating func reset() { attempts = 0 }

  /// A random delay from half of the doubled time to all of it.
  mutating func next(_ random: inout SplitMix) -> Interval {
    let doubled = Self.shortest.nanoseconds << min(attempts, 16)
    attempts += 1
    let whole = min(doubled, Self.longest.nanoseconds)
    let jitter = Int64(random.next() >> 1) % (whole / 2 + 1)
    return Interval(nanoseconds: whole - jitter)
  }
}

extension ClientMachine {
  /// The delay before the next attempt for a session. Each session has its own delay, so that a
  /// session that is refused for long delays no other.
  mutating func pause(of session: SessionIdentifier) -> Interval {
    backoffs[session, default: Backoff()].next(&random)
  }
}
