import SceneModel

/// `application/requestSceneSessionRefresh`: what scenes show may be out of date.
extension Broker {
  mutating func refresh(
    _ message: RequestRefresh, _ asker: Asker, fresh: SessionIdentifier
  ) {
    do throws(BrokerError) {
      let wanted = try sessionsToRefresh(message)
      if message.open, mustAwaitDelegate(asker, making: false),
        wanted.contains(where: { scenes[$0] == nil })
      {
        return try awaitDelegate(.refresh(message), asker, fresh: fresh)
      }
      var refreshed: [SessionIdentifier] = []
      var refusal: BrokerError?
      for identifier in wanted {
        do throws(BrokerError) {
          let isThere = try markForRefresh(identifier, opening: message.open, asker)
          if isThere { refreshed.append(identifier) }
        } catch {
          refusal = refusal ?? error
        }
      }
      if refreshed.isEmpty, let refusal { throw refusal }
      answerRefresh(of: refreshed, asker)
      for identifier in refreshed { walk(identifier) }
    } catch {
      refuse(asker, error)
    }
  }

  private func sessionsToRefresh(
    _ message: RequestRefresh
  ) throws(BrokerError) -> [SessionIdentifier] {
    guard !isShuttingDown else { throw shuttingDown }
    switch (message.sessions, message.matching) {
    case (let sessions?, nil):
      for identifier in sessions where !stored.contains(identifier) { throw notFound(identifier) }
      return Set(sessions).sorted()
    case (nil, let members?):
      let filter = MemberFilter(members)
      let all = message.open ? Array(stored.sessions.keys) : Array(scenes.keys)
      return all.filter { stored[$0].map { filter.matches($0.attributes.userInfo) } ?? false }
        .sorted()
    case (nil, nil), (.some, .some):
      throw BrokerError(
        .invalidParams, "sessions, where: give one of them; where {} is every session")
    }
  }

  /// False for a session that has no scene to refresh, or not for long.
  private mutating func markForRefresh(
    _ identifier: SessionIdentifier, opening: Bool, _ asker: Asker
  ) throws(BrokerError) -> Bool {
    if let scene = scenes[identifier] {
      guard scene.target > .unattached else { return false }
      scenes[identifier]?.mustRefresh = true
      // It changes no course, but somebody asked.
      tell(
        .aimed, identifier, reason: ConnectReason.refresh.rawValue, state: scene.target, by: asker)
      return true
    }
    guard opening, reserved[identifier] == nil, let attributes = stored[identifier]?.attributes
    else { return false }
    if let error = storageRefusal(of: .little) { throw error }
    guard launches[identifier] == nil else {
      launches[identifier]?.bringing.mustRefresh = true
      return true
    }
    var bringing = Bringing(.refresh, attributes.role, isNew: false)
    bringing.mustRefresh = true
    if let host = nextHost(for: identifier) {
      hand(identifier, to: host, bringing, asker)
    } else if launchCommand(for: identifier) != nil {
      launchUnawaited(identifier, bringing, asker)
      return launches[identifier] != nil
    } else {
      let configuration = manifest.currentConfiguration(of: attributes).configuration
      throw noHost(for: configuration, identifier)
    }
    return true
  }

  /// Whoever asked waits for the scenes of others.
  private mutating func answerRefresh(of refreshed: [SessionIdentifier], _ asker: Asker) {
    let awaited = refreshed.filter {
      isAwaited($0, by: asker) || launches[$0] != nil && asker.request != nil
    }
    let answer = BrokerReply.refreshed(RequestRefresh.Reply(sessions: refreshed))
    guard !awaited.isEmpty else { return replyAboutAll(asker, answer) }
    let group = groups.open(asker, answer, count: awaited.count)
    for identifier in awaited {
      addArrival(Arrival(asker: asker, answer: .refresh(group)), to: identifier)
    }
  }

  /// Sends a scene that is at rest what it has missed, then the callback.
  mutating func beginRefresh(of identifier: SessionIdentifier) -> Callback {
    scenes[identifier]?.mustRefresh = false
    scenes[identifier]?.catchesUp = true
    catchUp(identifier)
    endCatchingUp(identifier)
    return .refresh(SceneReference(session: identifier))
  }
}
