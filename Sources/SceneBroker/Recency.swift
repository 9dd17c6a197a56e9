import SceneModel

/// The sessions that each client program made, in the order of their use, so that the most recently
/// used one is found without looking at all sessions.
struct Recency {
  struct Kind: Hashable {
    var maker: String
    var role: Role
    /// Whether somebody holds it, or it is kept for somebody.
    var isHeld: Bool
  }

  private struct Use {
    var order: Int64
    var session: SessionIdentifier
  }

  /// The newest last. A session that was used again, or is gone, leaves its older uses behind.
  private struct Uses {
    var list: [Use] = []
    /// From this length on it is worth while to look for what was left behind.
    var limit = 64

    mutating func sweep(_ stored: StoredState) {
      list.removeAll { !Recency.isCurrent($0, stored) }
      limit = 2 * list.count + 64
    }
  }

  /// Nil until somebody asks: a start has better things to do.
  private var uses: [Kind: Uses]?

  /// A session was used, now.
  mutating func note(_ session: SessionIdentifier, in stored: StoredState) {
    guard uses != nil, let used = stored[session] else { return }
    let use = Use(order: used.tenure.order, session: session)
    let kind = Self.kind(of: used)
    uses?[kind, default: Uses()].list.append(use)
    if let kept = uses?[kind], kept.list.count > kept.limit { uses?[kind]?.sweep(stored) }
  }

  /// The sessions of a kind, the most recently used first.
  mutating func newestFirst(
    _ kind: Kind, in stored: StoredState
  ) -> some Sequence<SessionIdentifier> {
    if uses == nil { uses = Self.read(stored) }
    // Those that were taken since are not to be passed each time.
    while let newest = uses?[kind]?.list.last, !Self.isCurrent(newest, stored) {
      uses?[kind]?.list.removeLast()
    }
    let list = uses?[kind]?.list ?? []
    return list.lazy.reversed().filter { Self.isCurrent($0, stored) }.map(\.session)
  }

  /// Whether what was gathered step by step is what all sessions together say.
  func agrees(with stored: StoredState) -> Bool {
    guard let uses else { return true }
    let expected = Self.read(stored).mapValues { $0.list.map(\.session) }
    let found = uses.mapValues { $0.list.filter { Self.isCurrent($0, stored) }.map(\.session) }
    return found.filter { !$0.value.isEmpty } == expected
  }

  private static func kind(of session: StoredSession) -> Kind {
    Kind(
      maker: session.attributes.maker, role: session.attributes.role,
      isHeld: session.tenure.holder != nil)
  }

  private static func isCurrent(_ use: Use, _ stored: StoredState) -> Bool {
    stored[use.session]?.tenure.order == use.order
  }

  private static func read(_ stored: StoredState) -> [Kind: Uses] {
    var uses: [Kind: Uses] = [:]
    for (identifier, session) in stored.sessions {
      uses[kind(of: session), default: Uses()].list.append(
        Use(order: session.tenure.order, session: identifier))
    }
    return uses.mapValues { all in
      let sorted = all.list.sorted { ($0.order, $0.session) < ($1.order, $1.session) }
      return Uses(list: sorted, limit: 2 * sorted.count + 64)
    }
  }
}
