import SceneModel

/// Decides which scenes leave the foreground.
enum ForegroundLimiter {
  /// A scene whose target is in the foreground.
  struct Candidate: Equatable {
    let session: SessionIdentifier
    /// The most recently activated scene has the highest value.
    let order: UInt64
  }

  /// The least recently activated scenes beyond the limit, in that order.
  static func excess(of scenes: [Candidate], limit: Int) -> [SessionIdentifier] {
    guard scenes.count > limit else { return [] }
    let leastRecentFirst = scenes.sorted { ($0.order, $0.session) < ($1.order, $1.session) }
    return leastRecentFirst.prefix(scenes.count - limit).map(\.session)
  }
}
