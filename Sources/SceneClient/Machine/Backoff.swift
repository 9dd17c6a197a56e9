import SceneModel

/// How long to wait before the next attempt: longer each time, and never all clients at once.
struct Backoff: Equatable {
  static let shortest = Interval.milliseconds(20)
  /// Sessions are kept for those who had them for ten seconds after a start: several attempts must
  /// fall into that time.
  static let longest = Interval.seconds(2)

  private var attempts = 0

  mutating func reset() { attempts = 0 }

  /// Between half and all of a time that doubles.
  mutating func next(_ random: inout SplitMix) -> Interval {
    let doubled = Self.shortest.nanoseconds << min(attempts, 16)
    attempts += 1
    let whole = min(doubled, Self.longest.nanoseconds)
    let jitter = Int64(random.next() >> 1) % (whole / 2 + 1)
    return Interval(nanoseconds: whole - jitter)
  }
}

extension ClientMachine {
  /// Until the next attempt at something for a session. Each has its own, so that one that is
  /// refused for long slows down nothing else.
  mutating func pause(of session: SessionIdentifier) -> Interval {
    backoffs[session, default: Backoff()].next(&random)
  }
}
