import SceneModel

/// A session that this host takes from another one, and conflicts.
extension Agent {
  mutating func take(_ id: SessionIdentifier, _ owner: AgentView.Owner) {
    guard let wish = sessions[id]?.wish else { return }
    let (host, question) = (owner.owner.host, wish.question)
    switch question.command {
    case .list: return
    case .copy: return copy(id, from: host)
    case .keep: return refuseWish(of: id, "the session is at \(host); take it first")
    case .take: break
    }
    guard question.seen ?? owner.fence == owner.fence, wish.host ?? host == host else {
      let since = question.seen.map { " since fence \($0)" } ?? ""
      return refuseWish(
        of: id,
        "the session has moved\(since): now it is at \(host) with fence \(owner.fence)")
    }
    sessions[id]?.wish?.host = host
    guard view.presences[host] != nil, !question.isForced else {
      let next = SessionOwner(
        host: settings.host, from: host, nonce: nonce(), base: owner.owner.base)
      var conditions: [HandoffKey: Int64] = [.owner(id): owner.revision]
      if !question.isForced { conditions[.presence(host: host)] = 0 }
      return change(
        id, if: conditions, [put(.owner(id), next), delete(.request(id))])
    }
    if let request = view.requests[id] {
      if request.owner.host != settings.host {
        refuseWish(of: id, "\(request.owner.host) takes the session")
      }
      return
    }
    guard !wish.isRequested else {
      return refuseWish(of: id, "\(host) could not release the session; repeat it, or use --force")
    }
    let request = SessionOwner(host: settings.host, nonce: nonce())
    change(
      id, if: [.owner(id): owner.revision, .request(id): 0],
      [put(.request(id), request, lease: lease)]
    ) { agent, _ in agent.sessions[id]?.wish?.isRequested = true }
  }

  /// Makes a new session from the published content.
  private mutating func copy(_ id: SessionIdentifier, from host: String) {
    read(id, .content(id), files: .files(id)) { agent, content, files in
      let copy = SessionIdentifier(random: agent.random.next(), agent.random.next())
      agent.perform(.adopt(copy, content, files: files, fence: 1, from: host), for: id) {
        agent, _ in
        agent.answerWish(of: id) { $0.session = copy }
        agent.decide(id)
      } refused: {
        $0.refuseWish(of: id, $1)
      }
    }
  }

  // MARK: - Conflicts

  mutating func keep(_ content: SessionContent, from host: String) {
    let id = content.session
    let conflicts = (view.conflicts[id] ?? []).sorted { $0.generation < $1.generation }
    guard
      let conflict = conflicts.last(where: { $0.host == host })
        ?? (host == settings.host ? conflicts.last : nil)
    else {
      // The reply to the removal can be lost.
      if sessions[id]?.wish?.isRequested == true { return answerWish(of: id) }
      return refuseWish(of: id, "the session has no conflict with \(host)")
    }
    let (other, generation) = (conflict.host, conflict.generation)
    let contentKey = HandoffKey.conflictContent(id, host: other, generation: generation)
    read(id, contentKey) { agent, stored, _ in
      guard case .present(let current)? = agent.sessions[id]?.local,
        let own = try? StoredContent(parsing: current.bytes)
      else { return }
      // The one that is saved last is current; the other one is in the history.
      let contents = other == host ? [stored] : [stored, own]
      agent.perform(.save(id, contents), for: id) { agent, _ in
        guard agent.isServing else { return }
        agent.sessions[id]?.wish?.isRequested = true
        let keys = [contentKey, .conflict(id, host: other, generation: generation)]
        agent.change(id, if: [:], keys.map(agent.delete)) { agent, _ in
          agent.answerWish(of: id)
        }
      } refused: {
        $0.fail(id, $1)
      }
    }
  }
}
