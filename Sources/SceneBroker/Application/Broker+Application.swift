package import SceneModel

/// The application's own life: starting with what was, moving its scenes, ending.
extension Broker {
  // MARK: - The start

  /// How long sessions are kept for the holders of before, who are about to resume.
  package static let grace = Interval.seconds(10)

  /// The processes that held a session when the last broker ended.
  package var formerHolders: [ClientProcess] {
    var holders: [ClientProcess] = []
    var seen: Set<ClientProcess> = []
    for session in store.heldSessions {
      guard let holder = session.tenure.holder, seen.insert(holder).inserted else { continue }
      holders.append(holder)
    }
    return holders
  }

  mutating func start(living: [ClientProcess]) {
    makeClassicSession()
    declareTopics()
    let living = Set(living)
    for session in store.heldSessions {
      guard let holder = session.tenure.holder else { continue }
      let identifier = session.attributes.identifier
      if living.contains(holder) {
        clients.reserve(identifier, for: holder)
      } else {
        recordEnd(of: identifier, SessionEnd(reason: .connectionLost))
        tell(.disconnected, identifier, reason: DisconnectReason.connectionLost.rawValue)
      }
    }
    if clients.reservationCount > 0 { effects.timers.append(.set(.grace, Self.grace)) }
  }

  /// A classic application has its one session without being asked for it.
  private mutating func makeClassicSession() {
    guard manifest.isClassic, store.sessions.isEmpty,
      let configuration = manifest.configurations(for: .windowApplication).first
    else { return }
    let identifier = identifiers.next()
    record(
      .session(
        SessionAttributes(
          identifier: identifier, configuration: configuration, created: now.wall)))
    tell(.created, identifier)
  }

  /// The time for previous holders to resume is over.
  mutating func endGrace() {
    for identifier in store.inOrderOfUse(clients.reservedSessions()) { release(identifier) }
  }

  /// A holder of before is coming to its end: its sessions are free at once.
  mutating func release(reservedFor process: ClientProcess) {
    for identifier in store.inOrderOfUse(clients.reservedSessions(for: process)) {
      release(identifier)
    }
  }

  private mutating func release(_ identifier: SessionIdentifier) {
    clients.removeReservation(of: identifier)
    let end = SessionEnd(reason: .connectionLost)
    recordEnd(of: identifier, end)
    tellDelegate(
      .sceneDisconnected(SceneDisconnected(session: identifier, end: end)), about: identifier)
    tell(.disconnected, identifier, reason: end.reason.rawValue)
    noteChange(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  // MARK: - Moving scenes

  mutating func transition(_ message: SceneTransition, _ requester: Requester) {
    let identifier = message.session
    do throws(BrokerError) {
      try checkReason(message)
      guard store.listed(identifier) != nil else { throw notFound(identifier) }
      guard let scene = scenes[identifier] else {
        guard message.to == .unattached else { throw unattached(identifier) }
        return reply(
          requester, .moved(SceneTransition.Reply(state: .unattached)), about: identifier)
      }
      try checkMayChange(identifier, requester)
      guard !store.isDiscarding(identifier) else { throw notFound(identifier) }
      guard !isShuttingDown else { throw shuttingDown }
      guard !scene.isLeaving || message.to == .unattached else { throw leaving(identifier) }
      let departure =
        message.to == .unattached
        ? Departure(reason: message.reason ?? .clientRequest) : nil
      setTarget(of: identifier, to: message.to, departure: departure, by: requester)
      addWaiter(ActivationWaiter(requester: requester, kind: .transition), to: identifier)
      advanceLifecycle(of: identifier)
    } catch {
      refuse(requester, error)
    }
  }

  /// A discard is asked for by its own request, and what the broker alone can know is not for
  /// others to say.
  private func checkReason(_ message: SceneTransition) throws(BrokerError) {
    guard message.to == .unattached, let reason = message.reason else { return }
    guard reason == .clientRequest || reason == .reclaimed else {
      throw BrokerError(
        .invalidParams,
        "reason: expected clientRequest or reclaimed, "
          + "found \"\(reason.rawValue.clipped(to: 100))\"")
    }
  }

  mutating func tellOfTimeChange(_ requester: Requester) {
    notifyAll(.significantTimeChange)
    reply(requester, .empty, about: nil)
  }

  // MARK: - The end

  /// How long scenes have to go down the line.
  package static let shutdownTime = Interval.seconds(4)

  mutating func terminate() {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    effects.timers.append(.set(.shutdown, Self.shutdownTime))
    refuseDeferred()
    refuseCreations()
    giveUpLaunches(shuttingDown)
    refuseWhoWaitsForMore()
    let leaving = store.inOrderOfUse(scenes.sessions)
    for identifier in leaving {
      setTarget(of: identifier, to: .unattached, departure: Departure(reason: .shutdown), by: nil)
    }
    for identifier in leaving { advanceLifecycle(of: identifier) }
    stopIfDone()
  }

  /// After the end of the rules, no event reports a clock or a disk. The event loop still answers
  /// those that wait for the manifest or a directory.
  private mutating func refuseWhoWaitsForMore() {
    let requesters =
      completions.fail(.clock) + completions.fail(.disk(isFull: true), .disk(isFull: false))
      + completions.fail(.settled)
    for requester in requesters { refuse(requester, shuttingDown) }
  }

  mutating func cutWhatIsLeft() {
    for identifier in store.inOrderOfUse(scenes.sessions) {
      cut(identifier, SessionEnd(reason: .shutdown))
    }
  }

  /// Clients that are connected and hold nothing are no reason to stay.
  mutating func stopIfDone() {
    guard isShuttingDown, scenes.isEmpty, !isDelegateTerminating() else { return }
    effects.timers.append(.cancel(.shutdown))
    effects.isStopping = true
  }
}
