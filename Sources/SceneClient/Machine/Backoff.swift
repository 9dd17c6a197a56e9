import SceneModel

/// How long to wait before the next attempt: longer each time, and never all clients at once.
struct Backoff: Equatable {
  static let shortest = Interval.milliseconds(20)
  /// Sessions are kept for those who had them for ten seconds after a start: several attempts must
  /// fall into that time.
  static let longest = Interval.seconds(2)

  private var attempts = 0
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(state: seed) }

  mutating func reset() { attempts = 0 }

  /// Between half and all of a time that doubles.
  mutating func next() -> Interval {
    let doubled = Self.shortest.nanoseconds << min(attempts, 16)
    attempts += 1
    let whole = min(doubled, Self.longest.nanoseconds)
    let jitter = Int64(random.next() >> 1) % (whole / 2 + 1)
    return Interval(nanoseconds: whole - jitter)
  }
}

/// A small generator, so that the same seed gives the same waits.
struct SplitMix: RandomNumberGenerator, Equatable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
