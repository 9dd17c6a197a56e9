import SceneModel

/// Decides which scenes at rest leave the background.
struct Reclaimer {
  let policy: ReclaimPolicy

  /// The scenes that the policy reclaims, in the order in which they entered the background. The
  /// order of use would put a scene that has just left the foreground before older ones.
  func due(of scenes: [SceneStateMachine], at now: Int64) -> [SessionIdentifier] {
    let excess = policy.count.map { max(0, scenes.count - $0) } ?? 0
    let oldestFirst = scenes.filter(\.assertions.isEmpty)
      .sorted { ($0.backgroundOrder, $0.session) < ($1.backgroundOrder, $1.session) }
    return oldestFirst.enumerated().filter { index, scene in
      index < excess || isTooOld(scene, at: now)
    }
    .map(\.element.session)
  }

  /// The time until the next of these scenes is too old.
  func nextCheck(of scenes: [SceneStateMachine], at now: Int64) -> Interval? {
    guard let age = policy.age,
      let oldest = scenes.filter(\.assertions.isEmpty).compactMap(\.backgroundSince).min()
    else { return nil }
    return Interval(nanoseconds: max(0, oldest + age.nanoseconds - now))
  }

  private func isTooOld(_ scene: SceneStateMachine, at now: Int64) -> Bool {
    guard let age = policy.age, let since = scene.backgroundSince else { return false }
    return now - since >= age.nanoseconds
  }
}
