import SceneModel

/// A session that this host takes from another one, and conflicts.
extension Agent {
  mutating func take(_ id: SessionIdentifier, _ owner: AgentView.Owner) {
    if sessions[id]?.wish?.wish == .copy {
      return read(id, .readingCopy(from: owner.owner.host))
    }
    guard case .take(let seen, let isForced, let isRequested)? = sessions[id]?.wish?.wish else {
      return refuseWish(of: id, "the session is at \(owner.owner.host); take it first")
    }
    guard seen == nil || seen == owner.fence else {
      return refuseWish(
        of: id,
        "the session has moved since fence \(seen ?? 0): now it is at \(owner.owner.host) "
          + "with fence \(owner.fence)")
    }
    let host = owner.owner.host
    let isPresent = view.presences[host] != nil
    guard isPresent, !isForced else {
      sessions[id]?.wish?.wish = .take(seen: owner.fence, forced: isForced)
      let next = SessionOwner(
        host: settings.host, from: host, nonce: nonce(), base: owner.owner.base)
      var conditions = [key(.owner(id)): owner.revision]
      if !isForced { conditions[key(.presence(host: host))] = 0 }
      return perform(
        .taking,
        .transaction(
          EngineTransaction(
            if: conditions,
            [.put(key(.owner(id)), next.keyBytes), .delete(key(.request(id)))])),
        for: id)
    }
    if let request = view.requests[id] {
      if request.owner.host != settings.host {
        refuseWish(of: id, "\(request.owner.host) takes the session")
      }
      return
    }
    guard !isRequested else {
      return refuseWish(of: id, "\(host) could not release the session; repeat it, or use --force")
    }
    guard case .serving(let lease) = link else { return }
    sessions[id]?.wish?.wish = .take(seen: owner.fence, forced: false)
    let request = SessionOwner(host: settings.host, nonce: nonce())
    perform(
      .requesting,
      .transaction(
        EngineTransaction(
          if: [key(.owner(id)): owner.revision, key(.request(id)): 0],
          [.put(key(.request(id)), request.keyBytes, lease: lease)])),
      for: id)
  }

  // MARK: - Conflicts

  mutating func keep(_ content: SessionContent, from host: String) {
    let id = content.session
    guard
      let conflict = view.conflicts[id]?.sorted(by: { $0.generation < $1.generation })
        .last(where: { $0.host == host || host == settings.host })
    else {
      return refuseWish(of: id, "the session has no conflict with \(host)")
    }
    perform(
      .readingConflict(conflict, isOwn: host == settings.host),
      .transaction(
        EngineTransaction(
          if: [:], [],
          reads: [
            key(.conflictContent(id, host: conflict.host, generation: conflict.generation))
          ])), for: id)
  }

  mutating func delete(_ conflict: AgentView.Conflict, of id: SessionIdentifier) {
    let (host, generation) = (conflict.host, conflict.generation)
    let keys = [
      HandoffKey.conflict(id, host: host, generation: generation),
      .conflictContent(id, host: host, generation: generation),
    ]
    perform(
      .deletingConflict,
      .transaction(EngineTransaction(if: [:], keys.map { .delete(key($0)) })), for: id)
  }
}
