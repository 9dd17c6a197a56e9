import SceneModel

/// The time of a story, in microseconds since it began, whichever broker tells it by a clock of its
/// own.
struct StoryClock {
  private let origin: Int64
  /// When the broker that tells now began.
  private var offset: Int64?
  private(set) var now: Int64 = 0

  init(_ first: TraceEntry) { origin = Self.start(of: first) + Self.sane(first.elapsed) }

  /// Another broker begins, of which this is told first. The system's clock may have been set
  /// meanwhile, but time goes on.
  mutating func begin(_ first: TraceEntry) {
    let begin = Self.start(of: first) - origin
    if offset != nil { now = max(begin, now) }
    offset = offset == nil ? begin : now
  }

  mutating func time(of entry: TraceEntry) -> Int64 {
    now = max(now, (offset ?? 0) + Self.sane(entry.elapsed))
    return now
  }

  /// When the broker of an entry started, in microseconds since 1970.
  private static func start(of entry: TraceEntry) -> Int64 {
    sane(entry.time) * 1000 - sane(entry.elapsed)
  }

  /// A file may say anything; what is out of every proportion must not overflow.
  private static func sane(_ time: Int64) -> Int64 { min(max(time, 0), 1 << 50) }
}
