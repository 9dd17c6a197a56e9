import SceneModel

/// How well a session suits a target content identifier. The highest score wins.
struct RoutingScore: Comparable {
  let session: SessionIdentifier
  let prefers: Bool
  let can: Bool
  /// The active scene counts as the most recently used one.
  let isActive: Bool
  let order: Int64

  /// A stored session. Without a target, every session can show the content.
  init(_ session: StoredSession, for target: String?, isActive: Bool) {
    let conditions = session.attributes.activationConditions
    self.session = session.attributes.identifier
    prefers = target.map(conditions.prefersToActivate(for:)) ?? false
    can = target.map(conditions.canActivate(for:)) ?? true
    self.isActive = isActive
    order = session.hold.order
  }

  /// A session that waits for the process that it begins with.
  init(_ session: ConfiguredSession) {
    self.session = session.pending.identifier
    prefers = false
    can = true
    isActive = false
    order = .max
  }

  /// Whether the conditions of the session allow the content.
  var isAllowed: Bool { prefers || can }

  private var rank: Int { prefers ? 2 : can ? 1 : 0 }

  static func < (one: Self, other: Self) -> Bool {
    (one.rank, one.isActive ? 1 : 0, one.order, one.session)
      < (other.rank, other.isActive ? 1 : 0, other.order, other.session)
  }
}
