import SceneModel

/// The requests of people.
extension Agent {
  /// A person waits at most this long for another host.
  private static let takeTimeout: Int64 = 15 * second

  mutating func handle(_ question: HandoffQuestion) {
    let id = question.session
    if question.command == .list {
      answer(question) { [status] in $0.status = status }
    } else if !isServing {
      let why = problem.map { "etcd cannot be used: \($0.text)" } ?? "not connected to etcd yet"
      answer(question) { $0.refused = why }
    } else if sessions[id]?.wish != nil {
      answer(question) { $0.refused = "another command changes the session" }
    } else {
      sessions[id, default: AgentSession()].wish = AgentSession.Wish(
        question: question, deadline: now + Self.takeTimeout)
      sessions[id]?.retryTime = 0
      decide(id)
    }
  }

  private mutating func answer(
    _ question: HandoffQuestion, _ fill: (inout HandoffReply) -> Void
  ) {
    var reply = HandoffReply()
    reply.id = question.id
    fill(&reply)
    actions.append(.answer(reply))
  }

  mutating func answerWish(
    of id: SessionIdentifier, _ fill: (inout HandoffReply) -> Void = { _ in }
  ) {
    guard let wish = sessions[id]?.wish else { return }
    sessions[id]?.wish = nil
    answer(wish.question, fill)
  }

  mutating func refuseWish(of id: SessionIdentifier, _ why: String) {
    answerWish(of: id) { $0.refused = why }
  }

  mutating func expire(_ id: SessionIdentifier) {
    let host = view.owners[id]?.owner.host ?? "the host"
    refuseWish(
      of: id,
      host == settings.host
        ? "the command has not ended yet; look again with: scenectl handoff"
        : "no answer from \(host) in time; repeat it, or use --force")
    // A later release would surprise the person.
    if sessions[id]?.isBusy == false, view.requests[id]?.owner.host == settings.host {
      withdrawRequest(of: id)
    }
  }

  /// Removes the request for a session from the engine.
  mutating func withdrawRequest(of id: SessionIdentifier) {
    guard isServing, let request = view.requests[id] else { return }
    change(id, if: [.request(id): request.revision], [delete(.request(id))])
  }

  /// The sessions in the engine, and the state of the link.
  package var status: HandoffStatus {
    var status = HandoffStatus()
    status.host = settings.host
    if let problem {
      status.problem = problem.text
      status.unreachable = (now - problem.since) / Self.second
    } else if isFull {
      status.problem = EngineError.full.description
    }
    let away = sessions.filter { $0.value.local.content?.away != nil }
    for id in Set(view.unreadable.keys).union(view.owners.keys).union(away.keys).sorted() {
      let owner = view.owners[id]
      let content = sessions[id]?.local.content
      var session = HandoffStatus.Session()
      session.session = id
      session.owner =
        owner?.owner.host ?? content.map { $0.away?.to ?? settings.host } ?? ""
      session.isPresent = view.presences[session.owner] != nil
      session.fence = owner?.fence ?? 0
      let entry = view.entries[id]
      session.name = entry?.name ?? content?.entry.name
      session.title = entry?.title
      session.publishedGeneration = entry?.generation
      session.published = entry?.time
      session.program = entry?.program
      session.generation = content?.away == nil ? content?.entry.generation : nil
      session.conflicts = (view.conflicts[id] ?? []).map(\.host).sorted()
      let isUnreadable = view.unreadable[id] != nil
      session.problem =
        sessions[id]?.problem
        ?? (isUnreadable
          ? "the owner is unreadable"
          : owner == nil ? "not in etcd" : entry == nil ? "the entry is unreadable" : nil)
      status.sessions.append(session)
    }
    return status
  }
}
