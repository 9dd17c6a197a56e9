import SceneModel

/// The time of a trace, in microseconds since its start. Each broker of the trace has its own
/// clock.
struct TraceClock {
  private let origin: Int64
  /// The start of the current broker.
  private var offset: Int64?
  private(set) var now: Int64 = 0

  init(_ first: TraceEntry) { origin = Self.start(of: first) + Self.sane(first.elapsed) }

  /// Begins the entries of another broker. Time never goes back, even if the system clock was set
  /// back.
  mutating func begin(_ first: TraceEntry) {
    let begin = Self.start(of: first) - origin
    if offset != nil { now = max(begin, now) }
    offset = offset == nil ? begin : now
  }

  mutating func time(of entry: TraceEntry) -> Int64 {
    now = max(now, (offset ?? 0) + Self.sane(entry.elapsed))
    return now
  }

  /// The start of the entry's broker, in microseconds since 1970.
  private static func start(of entry: TraceEntry) -> Int64 {
    sane(entry.time) * 1000 - sane(entry.elapsed)
  }

  /// Limits values of a damaged file, so that no sum overflows.
  private static func sane(_ time: Int64) -> Int64 { min(max(time, 0), 1 << 50) }
}
