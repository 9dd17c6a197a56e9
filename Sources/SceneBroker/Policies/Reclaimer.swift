import SceneModel

/// Decides which scenes leave the background.
struct Reclaimer {
  /// A scene at rest in the background.
  struct Candidate: Equatable {
    let session: SessionIdentifier
    /// The scene that entered the background last has the highest value.
    let order: UInt64
    /// The monotonic time at which the scene entered the background.
    let since: Int64?
    /// Whether an assertion keeps the scene.
    let hasAssertion: Bool
  }

  let policy: ReclaimPolicy

  /// The scenes that the policy reclaims, in the order in which they entered the background. The
  /// order of use would put a scene that has just left the foreground before older ones.
  func due(of scenes: [Candidate], at now: Int64) -> [SessionIdentifier] {
    let excess = policy.count.map { max(0, scenes.count - $0) } ?? 0
    let oldestFirst = scenes.filter { !$0.hasAssertion }
      .sorted { ($0.order, $0.session) < ($1.order, $1.session) }
    return oldestFirst.enumerated().filter { index, scene in
      index < excess || isTooOld(scene, at: now)
    }
    .map(\.element.session)
  }

  /// The time until the next of these scenes is too old.
  func nextCheck(of scenes: [Candidate], at now: Int64) -> Interval? {
    guard let age = policy.age,
      let oldest = scenes.filter({ !$0.hasAssertion }).compactMap(\.since).min()
    else { return nil }
    return Interval(nanoseconds: max(0, oldest + age.nanoseconds - now))
  }

  private func isTooOld(_ scene: Candidate, at now: Int64) -> Bool {
    guard let age = policy.age, let since = scene.since else { return false }
    return now - since >= age.nanoseconds
  }
}
