import SceneModel

/// The link to the engine: lease, presence, view, watch.
extension Agent {
  /// Sends a request of the link itself.
  mutating func ask(_ request: EngineRequest) {
    linkRequest = nextNumber()
    actions.append(.engine(linkRequest, request))
  }

  mutating func linkOpened(databaseSize: Int64) {
    guard link == .opening else { return }
    if databaseSize > Self.databaseWarning, !hasWarnedOfSize {
      hasWarnedOfSize = true
      actions.append(
        .log(
          "warning: the database of etcd has \(databaseSize >> 20) MiB: compaction may be off; set "
            + "ETCD_AUTO_COMPACTION_RETENTION=1 for etcd"))
    }
    link = .granting
    hasWarnedOfLoss = false
    // The lease counts from before the request.
    renewTime = now + settings.leaseSeconds * Self.second / 3
    ask(.grantLease(seconds: settings.leaseSeconds))
  }

  /// Opens another link after a random time, so that many agents do not return together.
  mutating func linkClosed(_ error: EngineError) {
    if problem == nil || problem?.text != error.description {
      actions.append(.log("warning: \(error.description)"))
    }
    problem = (error.description, problem?.since ?? now)
    let delay = Int64(random.next() % UInt64(3 * Self.second))
    link = .waiting(until: now + delay)
    (renewTime, watchTime) = (.max, .max)
    for step in engineSteps.values { sessions[step.session]?.isBusy = false }
    engineSteps = [:]
  }

  mutating func restartLink(_ error: EngineError) {
    actions.append(.close)
    linkClosed(error)
  }

  mutating func handle(_ reply: EngineReply, to number: UInt64) {
    if let step = engineSteps.removeValue(forKey: number) { return handle(reply, of: step) }
    guard number == linkRequest else { return }
    switch (link, reply) {
    case (_, .full): restartLink(.full)
    case (.granting, .lease(let lease)):
      link = .presenting
      self.lease = lease
      announce(after: presenceRevision)
    case (.presenting, .transaction(let succeeded, let values, _)):
      announced(succeeded, values.first)
    case (.reading, .values(let values, let revision)):
      view.read(values, revision: revision)
      link = .serving
      problem = nil
      actions.append(.log("connected to etcd; sessions: \(view.owners.count)"))
      actions.append(.engine(nextNumber(), .watch(prefix: view.prefix + "i/", after: revision)))
      for session in sessions.keys { sessions[session]?.awaited = 0 }
      decideAll()
    case (.serving, .lease): break
    case (.serving, .leaseExpired): restartLink(.unavailable("the lease has ended"))
    default: restartLink(.notEtcd("an unexpected reply"))
    }
  }

  private mutating func announce(after revision: Int64) {
    var presence = HostPresence()
    presence.number = number
    let key = HandoffKey.presence(host: settings.host)
    ask(
      .transaction(
        EngineTransaction(
          if: [self.key(key): revision], [put(key, presence, lease: lease)],
          reads: [self.key(key)])))
  }

  private mutating func announced(_ succeeded: Bool, _ value: EngineValue?) {
    if succeeded {
      presenceRevision = value?.revision ?? 0
      link = .reading
      return ask(.read(prefix: view.prefix + "i/"))
    }
    guard let value else { return announce(after: 0) }
    guard HostPresence(key: value.value)?.number == number else {
      return actions.append(
        .end("the name \(settings.host) is used by another host; choose another with --host"))
    }
    announce(after: value.revision)
  }

  mutating func apply(_ changes: [EngineChange]) {
    guard link == .serving else { return }
    watchTime = .max
    var concerned: Set<SessionIdentifier> = []
    for change in changes {
      let owners = view.owners
      guard let session = view.apply(change) else { continue }
      concerned.insert(session)
      if let old = owners[session], view.owners[session] == nil {
        sessions[session, default: AgentSession()].isDiscardedByOwner =
          old.owner.isDiscarded && old.owner.host != settings.host
      } else if view.owners[session] != nil {
        sessions[session]?.isDiscardedByOwner = false
      }
      sessions[session]?.retryTime = 0
    }
    for session in concerned.sorted() { decide(session) }
    // A step can await the revision of another session's change, and a take the end of a presence.
    for (session, state) in sessions
    where state.wish != nil || state.awaited > 0 && state.awaited <= view.revision {
      if !concerned.contains(session) { sessions[session]?.retryTime = now }
    }
  }
}
