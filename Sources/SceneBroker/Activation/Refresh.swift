import SceneModel

/// `application/requestSceneSessionRefresh`: the content of scenes is out of date.
extension Broker {
  mutating func refresh(_ message: RequestRefresh, _ attempt: Attempt) throws(BrokerError) {
    let requester = attempt.requester
    let wanted = try sessionsToRefresh(message)
    if message.open, mustAwaitDelegate(requester, creating: false),
      !wanted.allSatisfy({ scenes[$0] != nil })
    {
      return try deferRequest(.refresh(message), attempt, until: .delegate)
    }
    var refreshed: [SessionIdentifier] = []
    var refusal: BrokerError?
    for identifier in wanted {
      do throws(BrokerError) {
        let isThere = try markForRefresh(identifier, opening: message.open, requester)
        if isThere { refreshed.append(identifier) }
      } catch {
        refusal = refusal ?? error
      }
    }
    if refreshed.isEmpty, let refusal { throw refusal }
    answerRefresh(of: refreshed, requester)
    for identifier in refreshed { advanceLifecycle(of: identifier) }
  }

  private func sessionsToRefresh(
    _ message: RequestRefresh
  ) throws(BrokerError) -> [SessionIdentifier] {
    try checkMayBegin()
    switch (message.sessions, message.matching) {
    case (let sessions?, nil):
      for identifier in sessions {
        guard store.contains(identifier) else { throw absence(of: identifier) }
        try checkPresent(identifier)
      }
      return Set(sessions).sorted()
    case (nil, let members?):
      let filter = UserInfoFilter(members)
      let all = message.open ? Array(store.state.sessions.keys) : Array(scenes.all.keys)
      return all.filter {
        store[$0].map { $0.isPresent && filter.matches($0.attributes.userInfo) } ?? false
      }
      .sorted()
    case (nil, nil), (.some, .some):
      throw BrokerError(
        .invalidParams, "sessions, where: give exactly one; where {} selects every session")
    }
  }

  /// Returns false for a session without a scene to refresh, or whose scene is about to end.
  private mutating func markForRefresh(
    _ identifier: SessionIdentifier, opening: Bool, _ requester: Requester
  ) throws(BrokerError) -> Bool {
    if let scene = scenes[identifier] {
      guard scene.target > .unattached else { return false }
      pending.mustRefresh(identifier)
      // The target stays, but the trace shows the request.
      trace(.aimed, identifier, by: requester) {
        ($0.reason, $0.state) = (ConnectReason.refresh.rawValue, scene.target)
      }
      return true
    }
    guard opening, clients.reservations[identifier] == nil,
      let attributes = store[identifier]?.attributes
    else { return false }
    if let error = store.admission(of: .bounded) { throw error }
    guard !launches.contains(identifier) else {
      pending.mustRefresh(identifier)
      return true
    }
    forgetCrashes(of: identifier)
    let assignment = HostAssignment(.refresh, attributes.role, isNew: false)
    if let host = nextHost(for: identifier) {
      connectAssigned(identifier, to: host, assignment, requester)
      pending.mustRefresh(identifier)
    } else if launchCommand(for: identifier) != nil {
      launch(identifier, assignment, refreshing: true, requester)
      return launches.contains(identifier)
    } else {
      let configuration = manifest.currentConfiguration(of: attributes).configuration
      throw noHost(for: configuration, identifier)
    }
    return true
  }

  /// Replies when the scenes of other clients are refreshed.
  private mutating func answerRefresh(of refreshed: [SessionIdentifier], _ requester: Requester) {
    let awaited = refreshed.filter {
      scenes.isAwaited($0, by: requester) || launches.contains($0) && requester.request != nil
    }
    let answer = RequestRefresh.Reply(sessions: refreshed)
    let waits = addBatch(requester, BrokerReply(answer), to: awaited) { .refresh($0) }
    if !waits { replyAboutAll(requester, answer) }
  }

  /// Sends a scene that is at rest the events that it has missed, then the callback.
  mutating func beginRefresh(of identifier: SessionIdentifier) -> Callback {
    pending.beganRefresh(of: identifier)
    topics.beginReplay(identifier)
    catchUp(identifier)
    endReplay(identifier)
    return Callback(.refresh, of: identifier)
  }
}
