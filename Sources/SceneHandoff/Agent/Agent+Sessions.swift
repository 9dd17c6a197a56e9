import SceneModel

/// The next step of a session, from the broker's session, the engine's owner and the memory.
extension Agent {
  mutating func decide(_ id: SessionIdentifier) {
    guard isBrokerOpen else { return }
    let session = sessions[id] ?? AgentSession()
    guard session.step == .idle else { return }
    if session.isStale {
      sessions[id] = session
      sessions[id]?.isStale = false
      return perform(.showing, .show(id), for: id)
    }
    guard isServing, view.revision >= session.awaited, session.retryTime <= now else { return }
    sessions[id] = session
    let owner = view.owners[id]
    let isOwn = owner?.owner.host == settings.host
    switch (session.local, owner) {
    case (.unknown, _): break
    case (.present(let content), nil): publishFirst(content)
    case (.present(let content), let owner?) where isOwn: serve(content, owner)
    case (.present, let owner?):
      // The session was taken from this host. A memory makes its content a conflict.
      if memories[id] == nil { remember(id) { _ in } }
      perform(
        .releasing(to: owner.owner.host),
        .release(id, fence: owner.fence, to: owner.owner.host), for: id)
    case (.away(let content), nil): ownerIsGone(content)
    case (.away(let content), let owner?) where isOwn: returned(content, owner)
    case (.away(let content), let owner?): isElsewhere(content, owner)
    case (.absent, nil): refuseWish(of: id, "the session is not in etcd")
    case (.absent, let owner?) where isOwn:
      if memories[id]?.fence == owner.fence {
        deleteKeys(of: id, owner.fence)
      } else {
        read(id, owner)
      }
    case (.absent, let owner?): take(id, owner)
    }
  }

  // MARK: - Requests

  mutating func perform(
    _ step: AgentSession.Step, _ request: HostRequest, for id: SessionIdentifier
  ) {
    let number = nextNumber()
    begin(step, number, for: id)
    actions.append(.broker(number, request))
  }

  mutating func perform(
    _ step: AgentSession.Step, _ request: EngineRequest, for id: SessionIdentifier
  ) {
    let number = nextNumber()
    begin(step, number, for: id)
    actions.append(.engine(number, request))
  }

  private mutating func begin(
    _ step: AgentSession.Step, _ number: UInt64, for id: SessionIdentifier
  ) {
    // A kill after the next action must find the memory.
    if isStoreNeeded { store() }
    sessions[id]?.step = step
    pending[number] = id
  }

  mutating func remember(
    _ id: SessionIdentifier, _ change: (inout SessionMemory) -> Void
  ) {
    var memory = memories[id] ?? SessionMemory(id, fence: 0)
    change(&memory)
    if memories[id] != memory {
      memories[id] = memory
      isStoreNeeded = true
    }
  }

  mutating func forget(_ id: SessionIdentifier) {
    if memories.removeValue(forKey: id) != nil { isStoreNeeded = true }
  }

  // MARK: - A present session

  private func isPublished(_ content: SessionContent) -> Bool {
    guard content.isEligible else { return false }
    let newer = sessions.values.count { other in
      if case .present(let other) = other.local { other.lastUsed > content.lastUsed } else { false }
    }
    return newer < Self.sessionLimit
  }

  /// Whether the content fits the engine.
  private mutating func fits(_ content: SessionContent) -> Bool {
    let id = content.session
    let isTooLong = content.bytes.count > Self.contentByteLimit
    let problem = isTooLong ? "the session has \(content.bytes.count) bytes; it stays local" : nil
    if let problem, sessions[id]?.problem != problem {
      actions.append(.log("warning: \(content.entry.name ?? id.short): \(problem)"))
    }
    sessions[id]?.problem = problem
    return !isTooLong
  }

  private mutating func publishFirst(_ content: SessionContent) {
    refuseWish(of: content.session, "the session is at this host")
    guard isPublished(content), fits(content) else { return }
    let owner = SessionOwner(host: settings.host, nonce: nonce())
    publish(
      content, if: 0, first: [.put(key(.owner(content.session)), owner.keyBytes)])
  }

  private mutating func serve(_ content: SessionContent, _ owner: AgentView.Owner) {
    let id = content.session
    if memories[id]?.fence != owner.fence {
      remember(id) { $0 = SessionMemory(id, fence: owner.fence) }
    }
    if case .keep(let host)? = sessions[id]?.wish?.wish { return keep(content, from: host) }
    finishWish(of: id)
    if let request = view.requests[id], request.owner.host != settings.host {
      // The nonce proves the transfer if its reply is lost.
      let nonce = nonce()
      remember(id) { $0.nonce = nonce }
      return perform(
        .releasing(to: request.owner.host),
        .release(id, fence: owner.fence, to: request.owner.host), for: id)
    }
    if memories[id]?.nonce != nil { remember(id) { $0.nonce = nil } }
    guard memories[id]?.digest != content.digest, content.isEligible, fits(content) else { return }
    publish(content, if: owner.fence, first: [])
  }

  private mutating func publish(
    _ content: SessionContent, if fence: Int64, first: [EngineTransaction.Change]
  ) {
    let id = content.session
    guard (sessions[id]?.publishTime ?? 0) <= now else { return }
    sessions[id]?.publishTime = now + Self.second
    perform(
      .publishing(
        generation: content.entry.generation, digest: content.digest, isFirst: !first.isEmpty),
      .transaction(
        EngineTransaction(if: [key(.owner(id)): fence], first + changes(publishing: content))),
      for: id)
  }

  private func changes(publishing content: SessionContent) -> [EngineTransaction.Change] {
    [
      .put(key(.entry(content.session)), content.entry.keyBytes),
      .put(key(.content(content.session)), content.bytes),
    ]
  }

  // MARK: - An away session

  private mutating func ownerIsGone(_ content: SessionContent) {
    let id = content.session
    refuseWish(of: id, "the session is not in etcd")
    guard sessions[id]?.isDeletedByOwner == true, memories[id]?.digest == content.digest else {
      return
    }
    // The owner's user discarded the session, and this copy was published.
    perform(.discarding, .discard(id), for: id)
  }

  /// The engine says that this host owns the session, but it is away.
  private mutating func returned(_ content: SessionContent, _ owner: AgentView.Owner) {
    let id = content.session
    let memory = memories[id]
    if memory?.nonce == nil {
      // Without a release by this agent, the session was moved by hand.
      if memory?.fence == owner.fence { deleteKeys(of: id, owner.fence) } else { read(id, owner) }
    } else if memory?.fence == owner.fence {
      // A new fence makes a transfer that is still on its way fail.
      let own = SessionOwner(host: settings.host, nonce: nonce())
      perform(
        .reclaiming,
        .transaction(
          EngineTransaction(
            if: [key(.owner(id)): owner.fence], [.put(key(.owner(id)), own.keyBytes)])),
        for: id)
    } else if let stored = try? StoredContent(parsing: content.bytes) {
      // The content of this host is newer than the published one.
      perform(
        .adopting(fence: owner.fence),
        .adopt(id, stored, fence: owner.fence, from: owner.owner.from ?? settings.host), for: id)
    }
  }

  private mutating func isElsewhere(_ content: SessionContent, _ owner: AgentView.Owner) {
    let id = content.session
    if let nonce = memories[id]?.nonce {
      // With this nonce, the transfer has happened.
      if owner.owner.nonce == nonce { return transferred(content, to: owner.owner.host) }
      remember(id) { $0.nonce = nil }
    }
    if let memory = memories[id], memory.digest != content.digest {
      return keepConflict(content)
    }
    take(id, owner)
  }

  private mutating func keepConflict(_ content: SessionContent) {
    let (id, host, generation) = (content.session, settings.host, content.entry.generation)
    guard fits(content) else { return }
    perform(
      .keepingConflict(digest: content.digest),
      .transaction(
        EngineTransaction(
          if: [:],
          [
            .put(
              key(.conflictContent(id, host: host, generation: generation)), content.bytes),
            .put(
              key(.conflict(id, host: host, generation: generation)), content.entry.keyBytes),
          ])),
      for: id)
  }

  // MARK: - Owner's changes

  private mutating func deleteKeys(of id: SessionIdentifier, _ fence: Int64) {
    perform(
      .deleting,
      .transaction(
        EngineTransaction(
          if: [key(.owner(id)): fence],
          [.owner(id), .entry(id), .content(id), .request(id)].map { .delete(key($0)) })),
      for: id)
  }

  /// Reads the content of a session that this host owns but does not have.
  private mutating func read(_ id: SessionIdentifier, _ owner: AgentView.Owner) {
    perform(
      .reading(fence: owner.fence, from: owner.owner.from ?? settings.host),
      .read(key(.content(id))), for: id)
  }

  mutating func transfer(_ content: SessionContent, to host: String) {
    let id = content.session
    guard isServing, let owner = view.owners[id], owner.owner.host == settings.host,
      let nonce = memories[id]?.nonce, let request = view.requests[id],
      request.owner.host == host, fits(content)
    else { return decide(id) }
    let next = SessionOwner(host: host, from: settings.host, nonce: nonce)
    perform(
      .transferring(content, to: host),
      .transaction(
        EngineTransaction(
          if: [key(.owner(id)): owner.fence, key(.request(id)): request.revision],
          changes(publishing: content) + [
            .put(key(.owner(id)), next.keyBytes), .delete(key(.request(id))),
          ])),
      for: id)
  }

  /// The engine has the last content of a released session.
  mutating func transferred(_ content: SessionContent, to host: String) {
    let id = content.session
    remember(id) {
      ($0.digest, $0.generation, $0.nonce) = (content.digest, content.entry.generation, nil)
    }
    perform(
      .confirming, .confirm(id, fence: memories[id]?.fence ?? 0, to: host), for: id)
  }

  // MARK: - Taking

  private mutating func take(_ id: SessionIdentifier, _ owner: AgentView.Owner) {
    guard case .take(let seen, let isForced, let isRequested)? = sessions[id]?.wish?.wish else {
      return refuseWish(of: id, "the session is at \(owner.owner.host); take it first")
    }
    guard seen == nil || seen == owner.fence else {
      return refuseWish(
        of: id,
        "the session has changed its host: it is at \(owner.owner.host) (fence \(owner.fence))")
    }
    let host = owner.owner.host
    let isPresent = view.presences[host] != nil
    guard isPresent, !isForced else {
      sessions[id]?.wish?.wish = .take(seen: owner.fence, forced: isForced)
      let next = SessionOwner(host: settings.host, from: host, nonce: nonce())
      var conditions = [key(.owner(id)): owner.fence]
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
          if: [key(.owner(id)): owner.fence, key(.request(id)): 0],
          [.put(key(.request(id)), request.keyBytes, lease: lease)])),
      for: id)
  }

  // MARK: - Conflicts

  private mutating func keep(_ content: SessionContent, from host: String) {
    let id = content.session
    guard
      let conflict = view.conflicts[id]?.sorted(by: { $0.generation < $1.generation })
        .last(where: { $0.host == host || host == settings.host })
    else {
      return refuseWish(of: id, "the session has no conflict with \(host)")
    }
    perform(
      .readingConflict(conflict, isOwn: host == settings.host),
      .read(
        key(.conflictContent(id, host: conflict.host, generation: conflict.generation))), for: id)
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
