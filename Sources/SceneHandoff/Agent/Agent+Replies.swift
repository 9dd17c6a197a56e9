import SceneModel

/// The replies to the steps of sessions.
extension Agent {
  /// The next step is idle; after a change at the engine, the view must see its revision.
  private mutating func finish(_ id: SessionIdentifier, awaiting revision: Int64 = 0) {
    sessions[id]?.step = .idle
    sessions[id]?.awaited = revision
  }

  private mutating func retry(_ id: SessionIdentifier, after nanoseconds: Int64) {
    sessions[id]?.retryTime = now + nanoseconds
  }

  mutating func handle(_ reply: EngineReply, of id: SessionIdentifier) {
    guard let step = sessions[id]?.step else { return }
    switch reply {
    case .full:
      finish(id)
      if !isFull { actions.append(.log("warning: \(EngineError.full.description)")) }
      isFull = true
      refuseWish(of: id, EngineError.full.description)
      retry(id, after: 5 * Self.second)
    case .transaction(_, let values, _) where step.isReading:
      finish(id)
      read(id, step, values)
    case .transaction(let succeeded, _, let revision):
      if isFull { actions.append(.log("etcd accepts changes again")) }
      isFull = false
      finish(id, awaiting: succeeded ? revision : 0)
      if succeeded {
        changed(id, step, revision)
      } else {
        // The watch reports the change that this one did not expect.
        retry(id, after: Self.second / 20)
        if case .publishing = step { sessions[id]?.publishTime = 0 }
        if step == .requesting || step == .taking, let seen = view.owners[id]?.fence {
          setSeen(of: id, seen)
        }
      }
      decide(id)
    case .values: finish(id)
    case .lease, .leaseExpired: finish(id)
    }
  }

  /// The person of a take saw the owner with this fence.
  private mutating func setSeen(of id: SessionIdentifier, _ fence: Int64) {
    guard case .take(nil, let isForced, let isRequested)? = sessions[id]?.wish?.wish else { return }
    sessions[id]?.wish?.wish = .take(seen: fence, forced: isForced, isRequested: isRequested)
  }

  private mutating func changed(
    _ id: SessionIdentifier, _ step: AgentSession.Step, _ revision: Int64
  ) {
    switch step {
    case .publishing(let generation, let digest, let files, let base):
      remember(id) {
        if let base { $0.fence = base + revision }
        ($0.generation, $0.digest, $0.files) = (generation, digest, files)
      }
      if case .present(var content)? = sessions[id]?.local {
        // The directory is in the engine, and can be large.
        content.files = nil
        sessions[id]?.local = .present(content)
      }
    case .requesting:
      if case .take(let seen, let isForced, _)? = sessions[id]?.wish?.wish {
        sessions[id]?.wish?.wish = .take(seen: seen, forced: isForced, isRequested: true)
      }
    case .transferring(let content): transferred(content)
    case .keepingConflict(let digest):
      remember(id) { $0.digest = digest }
      actions.append(
        .log("warning: conflict of \(id.short): both contents are kept; see scenectl handoff"))
    case .deleting: forget(id)
    case .deletingConflict: answerWish(of: id, .done)
    case .taking, .reclaiming, .refusing: break
    case .idle, .showing, .releasing, .confirming, .adopting, .copying, .saving, .discarding,
      .reading, .readingCopy, .readingConflict:
      break
    }
  }

  private mutating func read(
    _ id: SessionIdentifier, _ step: AgentSession.Step, _ values: [EngineValue]
  ) {
    let content: StoredContent
    var files: DirectoryContent?
    do throws(MemberError) {
      let filesKey = key(.files(id))
      guard let value = values.first(where: { $0.key != filesKey }) else {
        throw MemberError(problem: "missing")
      }
      content = try StoredContent(parsing: value.value)
      if let value = values.first(where: { $0.key == filesKey }) {
        files = try DirectoryContent(parsing: value.value)
      }
    } catch {
      let problem = "the content in etcd is unreadable: \(error)"
      sessions[id]?.problem = problem
      actions.append(.log("warning: \(id.short): \(problem)"))
      refuseWish(of: id, problem)
      return retry(id, after: 60 * Self.second)
    }
    switch step {
    case .reading(let fence, let from):
      adopt(id, content, files, fence: fence, from: from)
    case .readingCopy(let from):
      let copy = SessionIdentifier(random: random.next(), random.next())
      perform(
        .copying(copy), .adopt(copy, content, files: files, fence: 1, from: from), for: id)
    case .readingConflict(let conflict, let isOwn):
      guard case .present(let current)? = sessions[id]?.local,
        let own = try? StoredContent(parsing: current.bytes)
      else { return decide(id) }
      // The one that is saved last is current; the other one is in the history.
      perform(.saving(conflict), .save(id, isOwn ? [content, own] : [content]), for: id)
    default: decide(id)
    }
  }

  // MARK: - The broker

  mutating func brokerOpened(_ contents: [SessionContent]) {
    isBrokerOpen = true
    for id in sessions.keys {
      sessions[id]?.local = .absent
      sessions[id]?.isStale = false
    }
    for id in Set(memories.keys).union(view.owners.keys) where sessions[id] == nil {
      sessions[id] = AgentSession()
      sessions[id]?.local = .absent
      sessions[id]?.isStale = false
    }
    for content in contents { setLocal(content.session, content) }
    // A broker without any of the sessions has lost its state: the sessions return.
    let known = memories.keys.filter { id in
      if case .absent? = sessions[id]?.local { false } else { true }
    }
    if known.isEmpty, !memories.isEmpty {
      memories = [:]
      isStoreNeeded = true
    }
    for id in sessions.keys.sorted() { decide(id) }
  }

  private mutating func setLocal(_ id: SessionIdentifier, _ content: SessionContent?) {
    sessions[id, default: AgentSession()].isStale = false
    sessions[id]?.local = content.map { $0.away == nil ? .present($0) : .away($0) } ?? .absent
  }

  mutating func brokerClosed() {
    isBrokerOpen = false
    for (number, id) in pending where sessions[id]?.step.isAtBroker == true {
      pending[number] = nil
      sessions[id]?.step = .idle
    }
  }

  mutating func handle(_ reply: HostReply, to number: UInt64) {
    guard let id = pending.removeValue(forKey: number), let step = sessions[id]?.step else {
      return
    }
    sessions[id]?.step = .idle
    switch reply {
    case .session where step.isCopying:
      if case .copying(let copy) = step { answerWish(of: id, .copied(copy)) }
      decide(id)
    case .session(let content):
      // A change that arrived meanwhile is shown next.
      let isStale = sessions[id]?.isStale == true
      setLocal(id, content)
      sessions[id]?.isStale = isStale
      succeeded(id, step, content)
    case .refused(let why): refused(id, step, why)
    }
  }

  private mutating func succeeded(
    _ id: SessionIdentifier, _ step: AgentSession.Step, _ content: SessionContent?
  ) {
    switch step {
    case .releasing(let host):
      if let content, content.away != nil { return transfer(content, to: host) }
    case .showing: decide(id, isFresh: true)
    case .adopting(let fence, let files):
      remember(id) {
        $0 = SessionMemory(id, fence: fence)
        $0.files = files
      }
      sessions[id]?.problem = nil
    case .saving(let conflict): return delete(conflict, of: id)
    case .discarding: forget(id)
    default: break
    }
    decide(id)
  }

  private mutating func refused(
    _ id: SessionIdentifier, _ step: AgentSession.Step, _ why: String
  ) {
    sessions[id]?.isStale = true
    retry(id, after: Self.second)
    switch step {
    case .releasing(let host):
      actions.append(.log("warning: \(id.short) cannot be released to \(host): \(why)"))
      if view.owners[id]?.owner.host == settings.host { withdrawRequest(of: id) }
    case .copying: refuseWish(of: id, why)
    case .adopting, .saving:
      sessions[id]?.problem = why
      actions.append(.log("warning: \(id.short): \(why)"))
      refuseWish(of: id, why)
      retry(id, after: 60 * Self.second)
    default: break
    }
  }
}
