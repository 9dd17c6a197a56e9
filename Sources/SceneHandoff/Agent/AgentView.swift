package import SceneModel

/// The watched keys of the engine, as of a revision.
package struct AgentView {
  package struct Owner: Equatable {
    package var owner: SessionOwner
    package var revision: Int64

    package var fence: Int64 { owner.base + revision }
    /// The fence without a publication by a host that took the session from no other host.
    var oldFence: Int64 { owner.from == nil ? owner.base : fence }
  }

  package struct Conflict: Hashable {
    package var host: String
    package var generation: Int64
  }

  package let prefix: String
  package private(set) var revision: Int64 = 0
  package private(set) var presences: [String: Int64] = [:]
  package private(set) var owners: [SessionIdentifier: Owner] = [:]
  package private(set) var entries: [SessionIdentifier: SessionEntry] = [:]
  package private(set) var requests: [SessionIdentifier: (owner: SessionOwner, revision: Int64)] =
    [:]
  package private(set) var conflicts: [SessionIdentifier: Set<Conflict>] = [:]
  /// The revisions of owners that this version cannot read.
  package private(set) var unreadable: [SessionIdentifier: Int64] = [:]

  init(prefix: String) { self.prefix = prefix }

  /// Replaces the view.
  mutating func read(_ values: [EngineValue], revision: Int64) {
    self = AgentView(prefix: prefix)
    for value in values { _ = apply(.put(value)) }
    self.revision = revision
  }

  /// Applies a change. Returns the session that it concerns.
  mutating func apply(_ change: EngineChange) -> SessionIdentifier? {
    let key: String
    var value: EngineValue?
    switch change {
    case .put(let put): (key, value, revision) = (put.key, put, max(revision, put.revision))
    case .delete(let deleted, let number): (key, revision) = (deleted, max(revision, number))
    }
    switch HandoffKey(key, below: prefix) {
    case .presence(let host):
      presences[host] = value?.revision
      return nil
    case .owner(let session):
      unreadable[session] = nil
      owners[session] = nil
      guard let value else { return session }
      if let owner = SessionOwner(key: value.value), owner.isValid {
        owners[session] = Owner(owner: owner, revision: value.revision)
      } else {
        unreadable[session] = value.revision
      }
      return session
    case .entry(let session):
      entries[session] = value.flatMap { SessionEntry(key: $0.value) }
      return session
    case .request(let session):
      requests[session] = value.flatMap { value in
        SessionOwner(key: value.value).map { ($0, value.revision) }
      }
      return session
    case .conflict(let session, let host, let generation):
      let conflict = Conflict(host: host, generation: generation)
      if value == nil {
        conflicts[session]?.remove(conflict)
        if conflicts[session]?.isEmpty == true { conflicts[session] = nil }
      } else {
        conflicts[session, default: []].insert(conflict)
      }
      return session
    case .content, .files, .conflictContent, nil: return nil
    }
  }
}
