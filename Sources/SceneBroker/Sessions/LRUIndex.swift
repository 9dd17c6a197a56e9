import SceneModel

/// The sessions that each client program created, in the order of their use, so that the broker
/// finds the most recently used one without a search through all sessions.
struct LRUIndex {
  struct Key: Hashable {
    /// The program that created the session.
    var maker: String
    var role: Role
    /// The name of the configuration, as the manifest has it now; nil for any.
    var configuration: String?
    /// Whether the session has a holder or is reserved for one.
    var isHeld: Bool
  }

  private struct Entry {
    var order: Int64
    var session: SessionIdentifier
  }

  /// The newest entry is the last. A session that was used again, or was discarded, leaves its
  /// older entries behind.
  private struct List {
    var entries: [Entry] = []
    /// The length from which the list is searched for outdated entries.
    var limit = 64

    mutating func removeOutdated(_ state: StoredState) {
      entries.removeAll { !LRUIndex.isCurrent($0, state) }
      limit = 2 * entries.count + 64
    }
  }

  private let manifest: Manifest
  /// Nil until the first lookup, so that a start is fast.
  private var lists: [Key: List]?

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// The session was used now.
  mutating func add(_ identifier: SessionIdentifier, in state: StoredState) {
    guard lists != nil, let session = state[identifier] else { return }
    let entry = Entry(order: session.hold.order, session: identifier)
    for key in keys(of: session) {
      lists?[key, default: List()].entries.append(entry)
      if let list = lists?[key], list.entries.count > list.limit {
        lists?[key]?.removeOutdated(state)
      }
    }
  }

  /// The sessions of a key, the most recently used first.
  mutating func newestFirst(
    _ key: Key, in state: StoredState
  ) -> some Sequence<SessionIdentifier> {
    if lists == nil { lists = read(state) }
    var key = key
    if !hasSeveralConfigurations(key.role) { key.configuration = nil }
    // Remove outdated entries at the end, so that the next lookup does not pass them again.
    while let newest = lists?[key]?.entries.last, !Self.isCurrent(newest, state) {
      lists?[key]?.entries.removeLast()
    }
    let entries = lists?[key]?.entries ?? []
    return entries.lazy.reversed().filter { Self.isCurrent($0, state) }.map(\.session)
  }

  /// Whether the index has the sessions that a search through all sessions finds.
  func agrees(with state: StoredState) -> Bool {
    guard let lists else { return true }
    let expected = read(state).mapValues { $0.entries.map(\.session) }
    let found = lists.mapValues { list in
      list.entries.filter { Self.isCurrent($0, state) }.map(\.session)
    }
    return found.filter { !$0.value.isEmpty } == expected
  }

  /// A session has a key with its configuration and one without, if the two differ.
  private func keys(of session: StoredSession) -> [Key] {
    let any = Key(
      maker: session.attributes.maker, role: session.attributes.role,
      isHeld: session.hold.holder != nil)
    guard hasSeveralConfigurations(any.role) else { return [any] }
    var own = any
    own.configuration = manifest.currentConfiguration(of: session.attributes).configuration.name
    return [any, own]
  }

  /// Without configurations in the manifest, sessions keep the configuration of their creation.
  private func hasSeveralConfigurations(_ role: Role) -> Bool {
    manifest.configurations(for: role).count != 1
  }

  private static func isCurrent(_ entry: Entry, _ state: StoredState) -> Bool {
    state[entry.session]?.hold.order == entry.order
  }

  private func read(_ state: StoredState) -> [Key: List] {
    var lists: [Key: List] = [:]
    for (identifier, session) in state.sessions {
      let entry = Entry(order: session.hold.order, session: identifier)
      for key in keys(of: session) { lists[key, default: List()].entries.append(entry) }
    }
    return lists.mapValues { list in
      let sorted = list.entries.sorted { ($0.order, $0.session) < ($1.order, $1.session) }
      return List(entries: sorted, limit: 2 * sorted.count + 64)
    }
  }
}
