import SceneModel

/// The sessions that each client program made, in the order of their use, so that the most recently
/// used one is found without looking at all sessions.
struct Recency {
  struct Kind: Hashable {
    var maker: String
    var role: Role
    /// By its name, as the manifest has it now; nil for any.
    var configuration: String?
    /// Whether the session has a holder or is reserved for one.
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

  private let manifest: Manifest
  /// Nil until the first lookup, so that a start is fast.
  private var uses: [Kind: Uses]?

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// A session was used, now.
  mutating func note(_ session: SessionIdentifier, in stored: StoredState) {
    guard uses != nil, let used = stored[session] else { return }
    let use = Use(order: used.tenure.order, session: session)
    for kind in kinds(of: used) {
      uses?[kind, default: Uses()].list.append(use)
      if let kept = uses?[kind], kept.list.count > kept.limit { uses?[kind]?.sweep(stored) }
    }
  }

  /// The sessions of a kind, the most recently used first.
  mutating func newestFirst(
    _ kind: Kind, in stored: StoredState
  ) -> some Sequence<SessionIdentifier> {
    if uses == nil { uses = read(stored) }
    var kind = kind
    if !hasSeveralConfigurations(kind.role) { kind.configuration = nil }
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
    let expected = read(stored).mapValues { $0.list.map(\.session) }
    let found = uses.mapValues { $0.list.filter { Self.isCurrent($0, stored) }.map(\.session) }
    return found.filter { !$0.value.isEmpty } == expected
  }

  /// Each session is found by its configuration and without, unless that comes to the same.
  private func kinds(of session: StoredSession) -> [Kind] {
    let any = Kind(
      maker: session.attributes.maker, role: session.attributes.role,
      isHeld: session.tenure.holder != nil)
    guard hasSeveralConfigurations(any.role) else { return [any] }
    var own = any
    own.configuration = manifest.currentConfiguration(of: session.attributes).configuration.name
    return [any, own]
  }

  /// What the manifest no longer has counts as what takes its place. Without any, sessions keep what
  /// they were made with.
  private func hasSeveralConfigurations(_ role: Role) -> Bool {
    manifest.configurations(for: role).count != 1
  }

  private static func isCurrent(_ use: Use, _ stored: StoredState) -> Bool {
    stored[use.session]?.tenure.order == use.order
  }

  private func read(_ stored: StoredState) -> [Kind: Uses] {
    var uses: [Kind: Uses] = [:]
    for (identifier, session) in stored.sessions {
      let use = Use(order: session.tenure.order, session: identifier)
      for kind in kinds(of: session) { uses[kind, default: Uses()].list.append(use) }
    }
    return uses.mapValues { all in
      let sorted = all.list.sorted { ($0.order, $0.session) < ($1.order, $1.session) }
      return Uses(list: sorted, limit: 2 * sorted.count + 64)
    }
  }
}
