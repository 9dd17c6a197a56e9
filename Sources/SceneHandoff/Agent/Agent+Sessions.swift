import SceneJSON
import SceneModel

/// The next step of a session, from the broker's session, the engine's owner and the memory.
extension Agent {
  /// `isFresh`: the broker has just shown the session, so another change can wait.
  mutating func decide(_ id: SessionIdentifier, isFresh: Bool = false) {
    guard isBrokerOpen else { return }
    let session = sessions[id] ?? AgentSession()
    guard !session.isBusy else { return }
    sessions[id] = session
    if session.isStale, !isFresh {
      return show(id, withFiles: isServing && session.publishTime <= now)
    }
    guard isServing, view.revision >= session.awaited, session.retryTime <= now else { return }
    let owner = view.owners[id]
    let isOwn = owner?.owner.host == settings.host
    switch (session.local, owner) {
    case (.unknown, _): break
    case (.present(let content), nil): publishFirst(content)
    case (.present(let content), let owner?) where isOwn: serve(content, owner)
    case (.present(let content), let owner?) where content.fence > owner.oldFence:
      // The last move was to this host, and the engine lost it.
      publish(content, if: owner.revision, base: content.fence)
    case (.present, let owner?):
      // The session was taken from this host. A memory makes its content a conflict. An owner that
      // did not take the session does not have the published content of this host either.
      if memories[id] == nil { remember(id) { _ in } }
      if owner.owner.from == nil { remember(id) { $0.digest = 0 } }
      release(id, owner, to: owner.owner.host)
    case (.away(let content), nil): ownerIsGone(content)
    case (.away(let content), let owner?) where isOwn: returned(content, owner)
    case (.away(let content), let owner?): isElsewhere(content, owner)
    case (.absent, nil): ownerIsUnreadable(id)
    case (.absent, let owner?) where isOwn:
      if owner.owner.isDiscarded {
        deleteKeys(of: id, owner)
      } else if memories[id]?.fence == owner.fence {
        // Other hosts discard their copies only after this mark.
        var own = SessionOwner(host: settings.host, nonce: nonce(), base: owner.owner.base)
        own.isDiscarded = true
        change(id, if: [.owner(id): owner.revision], [put(.owner(id), own)])
      } else {
        read(id, owner)
      }
    case (.absent, let owner?):
      forget(id)
      take(id, owner)
    }
  }

  // MARK: - Requests

  private mutating func show(_ id: SessionIdentifier, withFiles: Bool) {
    sessions[id]?.isStale = false
    perform(.show(id, withFiles: withFiles), for: id) { agent, _ in
      agent.decide(id, isFresh: true)
    } refused: {
      $0.fail(id, $1)
    }
  }

  private mutating func release(
    _ id: SessionIdentifier, _ owner: AgentView.Owner, to host: String
  ) {
    perform(.release(id, fence: owner.fence, to: host), for: id) { agent, content in
      if let content, content.away != nil { return agent.transfer(content, to: host) }
      agent.decide(id)
    } refused: { agent, why in
      agent.actions.append(
        .log("warning: \(id.short) cannot be released to \(host): \(why)"))
      if agent.view.owners[id]?.owner.host == agent.settings.host { agent.withdrawRequest(of: id) }
    }
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

  private mutating func isPublished(_ content: SessionContent) -> Bool {
    guard content.isEligible else { return false }
    if publishedSince == nil {
      let times = sessions.values.compactMap { other in
        if case .present(let content) = other.local { content.lastUsed } else { nil }
      }
      publishedSince =
        times.count <= Self.sessionLimit
        ? .min : times.sorted(by: >)[Self.sessionLimit - 1]
    }
    return content.lastUsed >= publishedSince ?? .min
  }

  /// Whether the content may leave this host, and fits the engine.
  private mutating func fits(_ content: SessionContent) -> Bool {
    let id = content.session
    let isTooLong = content.bytes.count > Self.contentByteLimit
    var problem: String?
    if !content.isEligible {
      problem = "the session is not eligible for handoff; it stays at \(settings.host)"
    } else if isTooLong {
      problem = "the session has \(content.bytes.count) bytes; it stays at \(settings.host)"
    } else if let files = content.files, bytes(of: files, beside: content) == nil {
      problem =
        "the data directory stays at \(settings.host): \(files.problem ?? DirectoryContent.tooLarge)"
    }
    if let problem, sessions[id]?.problem != problem {
      actions.append(.log("warning: \(content.entry.name ?? id.short): \(problem)"))
    }
    sessions[id]?.problem = problem
    return content.isEligible && !isTooLong
  }

  /// The stored directory; nil if it does not fit.
  private func bytes(
    of files: DirectoryContent, beside content: SessionContent
  ) -> ContiguousArray<UInt8>? {
    guard files.problem == nil else { return nil }
    let bytes = files.json.bytes
    return bytes.count + content.bytes.count <= Self.contentByteLimit ? bytes : nil
  }

  private mutating func publishFirst(_ content: SessionContent) {
    let id = content.session
    if sessions[id]?.wish?.question.command == .take { answerWish(of: id) }
    refuseWish(of: id, "the session is at this host")
    let published = memories[id]?.fence ?? 0
    if published > view.revision, !hasWarnedOfLoss {
      hasWarnedOfLoss = true
      actions.append(
        .log(
          "warning: etcd has lost sessions of this host: its database is new or was restored; "
            + "they are published again"))
    }
    let fence = max(content.fence, published)
    publish(content, if: view.unreadable[id] ?? 0, base: fence > view.revision ? fence : 0)
  }

  private mutating func serve(_ content: SessionContent, _ owner: AgentView.Owner) {
    let id = content.session
    if memories[id]?.fence != owner.fence {
      remember(id) { $0 = SessionMemory(id, fence: owner.fence) }
    }
    // The engine lost a move, so the broker would refuse the fence.
    guard content.fence <= owner.fence else {
      return publish(content, if: owner.revision, base: content.fence)
    }
    switch sessions[id]?.wish?.question.command {
    case .keep?: return keep(content, from: sessions[id]?.wish?.question.host ?? "")
    case .copy?: refuseWish(of: id, "the session is at this host")
    case .take?, .list?, nil: answerWish(of: id)
    }
    // A session that is not eligible any more is not published.
    guard content.isEligible else { return deleteKeys(of: id, owner) }
    if let request = view.requests[id], request.owner.host != settings.host {
      guard fits(content) else { return withdrawRequest(of: id) }
      // The nonce proves the transfer if its reply is lost.
      let nonce = nonce()
      remember(id) { $0.nonce = nonce }
      return release(id, owner, to: request.owner.host)
    }
    if memories[id]?.nonce != nil { remember(id) { $0.nonce = nil } }
    guard memories[id]?.digest != content.digest else { return }
    publish(content, if: owner.revision, base: nil)
  }

  /// Publishes the content, and with a base also this host as the owner.
  private mutating func publish(_ content: SessionContent, if revision: Int64, base: Int64?) {
    let id = content.session
    guard base == nil || isPublished(content),
      (sessions[id]?.publishTime ?? 0) <= now
    else { return }
    guard let files = content.files else { return show(id, withFiles: true) }
    guard fits(content) else { return }
    sessions[id]?.publishTime = now + Self.second
    // A new owner of the keys does not know the stored directory.
    let known = base == nil ? memories[id]?.files ?? 0 : revision == 0 ? 0 : -1
    var changes = changes(publishing: content, files, over: known)
    if let base {
      let owner = SessionOwner(host: settings.host, nonce: nonce(), base: base)
      changes.append(put(.owner(id), owner))
    }
    change(id, if: [.owner(id): revision], changes) { agent, revision in
      agent.remember(id) {
        if let base { $0.fence = base + revision }
        ($0.digest, $0.files) = (content.digest, files.digest)
      }
      if case .present(var content)? = agent.sessions[id]?.local {
        // The directory is in the engine, and can be large.
        content.files = nil
        agent.sessions[id]?.local = .present(content)
      }
    } otherwise: {
      $0.sessions[id]?.publishTime = 0
    }
  }

  private func changes(
    publishing content: SessionContent, _ files: DirectoryContent?, over known: Int64
  ) -> [EngineTransaction.Change] {
    let id = content.session
    var changes: [EngineTransaction.Change] = [
      put(.entry(id), content.entry), .put(key(.content(id)), content.bytes),
    ]
    if let files, files.digest != known {
      let bytes = bytes(of: files, beside: content)
      changes.append(bytes.map { .put(key(.files(id)), $0) } ?? delete(.files(id)))
    }
    return changes
  }

  // MARK: - A session elsewhere

  /// The host that has the session writes an unreadable owner again.
  private mutating func ownerIsUnreadable(_ id: SessionIdentifier) {
    guard let revision = view.unreadable[id] else {
      return refuseWish(of: id, "the session is not in etcd")
    }
    guard let question = sessions[id]?.wish?.question else { return }
    guard question.command == .take, question.isForced else {
      return refuseWish(
        of: id,
        "the owner in etcd is unreadable; start scenehandoff at the host of the session, or use "
          + "--force")
    }
    let own = SessionOwner(host: settings.host, nonce: nonce())
    change(id, if: [.owner(id): revision], [put(.owner(id), own)])
  }

  private mutating func ownerIsGone(_ content: SessionContent) {
    let id = content.session
    let stored = try? StoredContent(parsing: content.bytes)
    if let question = sessions[id]?.wish?.question, question.command == .take, question.isForced,
      let stored, let away = content.away
    {
      return adopt(id, stored, nil, fence: content.fence + 1, from: away.to)
    }
    refuseWish(
      of: id,
      "the session is not in etcd; if \(content.away?.to ?? "its host") is lost, use --force")
    if memories[id]?.nonce != nil, let stored {
      // This agent released the session, and the engine lost it before the transfer.
      return adopt(id, stored, nil, fence: content.fence, from: settings.host)
    }
    guard sessions[id]?.isDiscardedByOwner == true, memories[id]?.digest == content.digest else {
      return
    }
    // The owner's user discarded the session, and this copy was published.
    perform(.discard(id), for: id) { agent, _ in
      agent.forget(id)
      agent.decide(id)
    }
  }

  /// The engine says that this host owns the session, but it is away.
  private mutating func returned(_ content: SessionContent, _ owner: AgentView.Owner) {
    let id = content.session
    let memory = memories[id]
    if memory?.nonce == nil {
      // Without a release by this agent, the session was moved by hand.
      if memory?.fence == owner.fence { deleteKeys(of: id, owner) } else { read(id, owner) }
    } else if memory?.fence == owner.fence {
      // A new fence makes a transfer that is still on its way fail.
      let own = SessionOwner(host: settings.host, nonce: nonce(), base: owner.owner.base)
      change(id, if: [.owner(id): owner.revision], [put(.owner(id), own)])
    } else if let stored = try? StoredContent(parsing: content.bytes) {
      // The content of this host is newer than the published one.
      adopt(
        id, stored, nil, fence: owner.fence, from: owner.owner.from ?? settings.host,
        over: memory?.files)
    }
  }

  mutating func adopt(
    _ id: SessionIdentifier, _ content: StoredContent, _ files: DirectoryContent?, fence: Int64,
    from host: String, over known: Int64? = nil
  ) {
    perform(.adopt(id, content, files: files, fence: fence, from: host), for: id) { agent, _ in
      agent.remember(id) {
        $0 = SessionMemory(id, fence: fence)
        $0.files = known ?? files?.digest ?? 0
      }
      agent.sessions[id]?.problem = nil
      agent.decide(id)
    } refused: {
      $0.fail(id, $1)
    }
  }

  private mutating func isElsewhere(_ content: SessionContent, _ owner: AgentView.Owner) {
    let id = content.session
    if let nonce = memories[id]?.nonce {
      // With this nonce, the transfer has happened.
      if owner.owner.nonce == nonce { return transferred(content) }
      remember(id) { $0.nonce = nil }
    }
    if let away = content.away, !away.isConfirmed {
      if let memory = memories[id], memory.digest != content.digest, fits(content) {
        return keepConflict(content)
      }
      if away.to == owner.owner.host { return confirm(content) }
    }
    take(id, owner)
  }

  private mutating func keepConflict(_ content: SessionContent) {
    let (id, host, generation) = (content.session, settings.host, content.entry.generation)
    let contentKey = HandoffKey.conflictContent(id, host: host, generation: generation)
    let mark = HandoffKey.conflict(id, host: host, generation: generation)
    change(
      id, if: [:],
      [.put(key(contentKey), content.bytes), put(mark, content.entry)]
    ) { agent, _ in
      agent.remember(id) { $0.digest = content.digest }
      agent.actions.append(
        .log("warning: conflict of \(id.short): both contents are kept; see scenectl handoff"))
    }
  }

  // MARK: - Owner's changes

  private mutating func deleteKeys(of id: SessionIdentifier, _ owner: AgentView.Owner) {
    let keys = [.owner(id), .entry(id), .content(id), .files(id), HandoffKey.request(id)]
    change(id, if: [.owner(id): owner.revision], keys.map(delete)) { agent, _ in
      agent.forget(id)
    }
  }

  /// Adopts the published content of a session that this host owns but does not have.
  private mutating func read(_ id: SessionIdentifier, _ owner: AgentView.Owner) {
    if let request = view.requests[id], request.owner.host != settings.host {
      // This host may be unable to adopt the session, so the requester does.
      let next = SessionOwner(
        host: request.owner.host, from: settings.host, nonce: nonce(), base: owner.owner.base)
      return change(
        id, if: [.owner(id): owner.revision, .request(id): request.revision],
        [put(.owner(id), next), delete(.request(id))])
    }
    read(id, .content(id), files: .files(id)) { [host = settings.host] in
      $0.adopt(id, $1, $2, fence: owner.fence, from: owner.owner.from ?? host)
    }
  }

  mutating func transfer(_ content: SessionContent, to host: String) {
    let id = content.session
    guard isServing, let owner = view.owners[id], owner.owner.host == settings.host,
      let nonce = memories[id]?.nonce, let request = view.requests[id],
      request.owner.host == host, fits(content)
    else { return decide(id) }
    let next = SessionOwner(
      host: host, from: settings.host, nonce: nonce, base: owner.owner.base)
    change(
      id, if: [.owner(id): owner.revision, .request(id): request.revision],
      changes(publishing: content, content.files, over: memories[id]?.files ?? 0) + [
        put(.owner(id), next), delete(.request(id)),
      ]
    ) { agent, _ in agent.transferred(content) }
  }

  /// The engine has the last content of a released session.
  mutating func transferred(_ content: SessionContent) {
    remember(content.session) {
      ($0.digest, $0.nonce) = (content.digest, nil)
      if let files = content.files { $0.files = files.digest }
    }
    confirm(content)
  }

  private mutating func confirm(_ content: SessionContent) {
    guard let away = content.away else { return decide(content.session) }
    let id = content.session
    perform(.confirm(id, fence: away.fence, to: away.to), for: id) { agent, _ in agent.decide(id) }
  }
}
