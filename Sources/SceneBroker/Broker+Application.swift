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
    for session in heldBefore {
      guard let holder = session.tenure.holder, seen.insert(holder).inserted else { continue }
      holders.append(holder)
    }
    return holders
  }

  private var heldBefore: [StoredSession] {
    stored.sessions.values.filter { $0.tenure.holder != nil }
      .sorted { $0.tenure.order < $1.tenure.order }
  }

  mutating func start(living: [ClientProcess]) {
    let living = Set(living)
    for session in heldBefore {
      guard let holder = session.tenure.holder else { continue }
      let identifier = session.attributes.identifier
      if living.contains(holder) {
        reserved[identifier] = holder
      } else {
        recordEnd(of: identifier, SessionEnd(reason: .connectionLost))
      }
    }
    if !reserved.isEmpty { effects.timers.append(.set(.grace, Self.grace)) }
  }

  /// Whoever has not come back by now is not waited for.
  mutating func endGrace() {
    let kept = reserved.keys.sorted { useOrder(of: $0) < useOrder(of: $1) }
    for identifier in kept { release(identifier) }
  }

  private func useOrder(of identifier: SessionIdentifier) -> Int64 {
    stored[identifier]?.tenure.order ?? 0
  }

  /// A holder of before is coming to its end: its sessions are free at once.
  mutating func release(reservedFor process: ClientProcess) {
    let kept = reserved.filter { $0.value == process }.keys
    for identifier in kept.sorted(by: { useOrder(of: $0) < useOrder(of: $1) }) {
      release(identifier)
    }
  }

  private mutating func release(_ identifier: SessionIdentifier) {
    reserved[identifier] = nil
    recordEnd(of: identifier, SessionEnd(reason: .connectionLost))
    noteChange(of: identifier)
    retryWaiting(for: identifier)
  }

  // MARK: - Moving scenes

  mutating func transition(_ message: SceneTransition, _ asker: Asker) {
    do throws(BrokerError) {
      _ = try sessionToChange(message.session, asker)
      guard let scene = scenes[message.session] else {
        guard message.to == .unattached else {
          throw BrokerError(
            .sessionNotHeld, "\(message.session) is unattached; activate it first")
        }
        return reply(
          asker, .moved(SceneTransition.Reply(state: .unattached)), about: message.session)
      }
      let departure =
        message.to == .unattached
        ? Departure(reason: message.reason ?? .clientRequest) : nil
      guard !scene.isLeaving || message.to == .unattached else {
        throw BrokerError(
          .sessionNotHeld, "\(message.session) is being disconnected right now", retry: .now)
      }
      try checkReason(message)
      if scene.departure?.isFinal != true || message.to != .unattached {
        try aim(message.session, at: message.to, departure: departure, by: asker)
      }
      let arrival = Arrival(
        connection: asker.connection, request: asker.request, answer: .transition)
      if scene.holder == asker.connection {
        answer(arrival, message.session, state: scene.state)
      } else {
        scenes[message.session]?.arrivals.append(arrival)
      }
      walk(message.session)
    } catch {
      refuse(asker, error)
    }
  }

  /// A discard is asked for by its own request, and what the broker alone can know is not for others to say.
  private func checkReason(_ message: SceneTransition) throws(BrokerError) {
    guard let reason = message.reason else { return }
    guard message.to == .unattached else { return }
    guard [.clientRequest, .reclaimed].contains(reason) else {
      throw BrokerError(
        .invalidParams, "reason: a transition's is clientRequest or reclaimed, not \(reason)")
    }
  }

  mutating func reclaim(_ message: Reclaim, _ asker: Asker) {
    do throws(BrokerError) {
      for identifier in message.sessions ?? [] where stored[identifier] == nil {
        throw notFound(identifier)
      }
      let chosen = reclaimable(message.sessions)
      let reply = BrokerReply.reclaimed(Reclaim.Reply(sessions: chosen))
      guard !message.dryRun, !chosen.isEmpty else { return replyAboutAll(asker, reply) }
      let group = groups.open(asker, reply, count: chosen.count)
      for identifier in chosen {
        try aim(
          identifier, at: .unattached, departure: Departure(reason: .reclaimed), by: asker)
        scenes[identifier]?.arrivals.append(
          Arrival(connection: asker.connection, request: asker.request, answer: .group(group)))
        walk(identifier)
      }
    } catch {
      refuse(asker, error)
    }
  }

  /// The scenes that are in the background and are to stay there, least recently used first.
  private func reclaimable(_ asked: [SessionIdentifier]?) -> [SessionIdentifier] {
    let candidates = asked.map { Array(Set($0)) } ?? Array(scenes.keys)
    return candidates.filter { identifier in
      guard let scene = scenes[identifier], stored[identifier] != nil else { return false }
      return scene.state == .background && scene.target == .background
    }
    .sorted { useOrder(of: $0) < useOrder(of: $1) }
  }

  // MARK: - The end

  mutating func terminate() {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    effects.timers.append(.set(.shutdown, Self.shutdownTime))
    for request in waiting.take(where: { _ in true }) { refuse(request.asker, shuttingDown) }
    for identifier in scenes.keys.sorted(by: { useOrder(of: $0) < useOrder(of: $1) }) {
      do throws(BrokerError) {
        try aim(
          identifier, at: .unattached, departure: Departure(reason: .shutdown), by: nil)
      } catch {
        preconditionFailure("nothing turns a shutdown round: \(error)")
      }
      walk(identifier)
    }
    stopIfDone()
  }

  /// How long scenes have to go down the line.
  private static let shutdownTime = Interval.seconds(4)

  mutating func cutWhatIsLeft() {
    for identifier in scenes.keys.sorted() { cut(identifier, reason: .shutdown) }
    stopIfDone()
  }

  mutating func stopIfDone() {
    guard isShuttingDown, scenes.isEmpty else { return }
    effects.timers.append(.cancel(.shutdown))
    effects.isStopping = true
  }
}
