import SceneModel

/// The invariants that hold between any two events, from `started` on. Each part checks its own,
/// and the broker checks those that relate two parts.
///
/// Tests and simulations check all of them after every event. The broker checks them once after a
/// recovery, except those of sessions without a process, which no journal can violate: a start with
/// many sessions must not visit each of them again.
extension Broker {
  /// Every invariant that does not hold, as a sentence.
  package func checkInvariants(ofAllSessions: Bool = true) -> [String] {
    var flaws = Flaws()
    flaws.found += store.flaws(ofAllSessions: ofAllSessions)
    flaws.found += clients.flaws
    flaws.found += scenes.flaws
    if ofAllSessions {
      checkHolders(of: store.state.sessions.keys, &flaws)
    } else {
      checkHolders(of: store.state.sessionsOfProcesses, &flaws)
    }
    for (identifier, scene) in scenes.all { check(scene, identifier, &flaws) }
    checkCallbacks(&flaws)
    checkDiscarding(&flaws)
    checkWaiting(&flaws)
    checkLaunches(&flaws)
    checkDerived(&flaws)
    checkTopics(&flaws)
    checkObservers(&flaws)
    return flaws.found.sorted()
  }

  private struct Flaws {
    var found: [String] = []

    mutating func unless(_ condition: Bool, _ flaw: @autoclosure () -> String) {
      if !condition { found.append(flaw()) }
    }
  }

  // MARK: - Holders

  /// The stored holder of a session is the holder of its scene, or the process of its reservation.
  /// After the end of the application, the previous holder has the reservation.
  private func checkHolders(of sessions: some Sequence<SessionIdentifier>, _ flaws: inout Flaws) {
    for identifier in sessions {
      guard let session = store[identifier] else { continue }
      let holder = scenes[identifier].flatMap { clients[$0.holder]?.process }
      let reserved = clients.reservations[identifier]
      flaws.unless(
        session.hold.holder == holder ?? reserved
          || session.hold.holder == nil && session.hold.previousHolder == reserved,
        "the stored holder of \(identifier) differs from its holder")
      guard !session.isPresent else { continue }
      let isUnused =
        scenes[identifier] == nil && reserved == nil && !session.hold.belongsToProcess
        && session.hold.previousHolder == nil && clients.previousHolders[identifier] == nil
        && !launches.contains(identifier) && pending.waiters(of: identifier).isEmpty
      flaws.unless(isUnused, "\(identifier) is away, but a client holds it or waits for it")
    }
    for identifier in clients.reservations.keys {
      flaws.unless(store.contains(identifier), "\(identifier) is reserved, but not stored")
      flaws.unless(scenes[identifier] == nil, "\(identifier) is reserved and held")
    }
    for (connection, client) in clients.all {
      for identifier in client.held {
        flaws.unless(
          scenes[identifier]?.holder == connection,
          "\(connection.number) holds \(identifier), which has another scene or none")
      }
    }
  }

  // MARK: - Scenes

  private func check(
    _ scene: SceneStateMachine, _ identifier: SessionIdentifier, _ flaws: inout Flaws
  ) {
    flaws.unless(
      (clients[scene.holder]?.held ?? []).contains(identifier),
      "the holder of \(identifier) does not list the session")
    flaws.unless(store.listed(identifier) != nil, "the scene of \(identifier) has no session")
    if let hold = store[identifier]?.hold {
      flaws.unless(
        hold.number == scene.hold, "the stored hold of \(identifier) differs from its hold")
    }
    flaws.unless(
      scene.pendingCallback != nil || isAtRest(identifier),
      "\(identifier) is not at rest, but no callback is pending")
    flaws.unless(
      pending.assignment(of: identifier) == nil || scene.state == .unattached,
      "\(identifier) has connected, but still has a host assignment")
    flaws.unless(
      !isShuttingDown || scene.target == .unattached,
      "\(identifier) has a target other than unattached during shutdown")
    checkWaiters(of: scene, identifier, &flaws)
  }

  private func checkWaiters(
    of scene: SceneStateMachine, _ identifier: SessionIdentifier, _ flaws: inout Flaws
  ) {
    let waiters = pending.waiters(of: identifier)
    flaws.unless(
      waiters.isEmpty || !isAtRest(identifier), "\(identifier) is at rest, but requests wait for it"
    )
    for waiter in waiters {
      flaws.unless(
        waiter.requester.connection != scene.holder,
        "a request of its own client waits for \(identifier)")
      if let delivery = waiter.delivery {
        flaws.unless(
          pending.hasDelivery(delivery, of: identifier)
            || scene.pendingCallback?.completes == delivery,
          "a request waits for a delivery to \(identifier) that is not queued")
      }
    }
  }

  /// The callbacks whose replies count are the callbacks of the scenes.
  private func checkCallbacks(_ flaws: inout Flaws) {
    var expected: [ConnectionIdentifier: [Int64: SessionIdentifier]] = [:]
    for (identifier, scene) in scenes.all {
      let numbers = [scene.pendingCallback?.number, scene.lateActivityRequest].compactMap { $0 }
      for number in numbers + scene.pings.all.map(\.number) {
        expected[scene.holder, default: [:]][number] = identifier
      }
      if let callback = scene.pendingCallback {
        flaws.unless(
          clients[scene.holder]?.outstandingCallbacks[callback.number]?.kind == callback.kind,
          "callback \(callback.number) of \(identifier) is not known to its holder")
      }
      flaws.unless(
        !scene.pings.isUnresponsive || clients[scene.holder]?.mayHaveUnresponsiveScene == true,
        "\(identifier) is unresponsive, and its client does not know")
    }
    for (connection, client) in clients.all {
      flaws.unless(
        client.outstandingCallbacks.mapValues(\.session) == expected[connection] ?? [:],
        "the pending callbacks of \(connection.number) differ from those of its scenes")
    }
  }

  // MARK: - The rest

  private func checkDiscarding(_ flaws: inout Flaws) {
    for identifier in store.discarding.keys {
      flaws.unless(
        scenes[identifier] != nil, "\(identifier) is discarded, listed and has no scene")
    }
  }

  private func checkWaiting(_ flaws: inout Flaws) {
    flaws.unless(!deferred.hasReady, "a request is still ready after the event")
    for request in deferred.requests {
      flaws.unless(
        clients[request.requester.connection] != nil || request.requester == .disconnected,
        "a request of a connection that is gone waits")
      if case .delegate = request.cause {
        flaws.unless(
          mustAwaitDelegate(request.requester, creating: true),
          "a request waits for the application delegate without need")
      }
      guard case .session(let identifier) = request.cause else { continue }
      flaws.unless(
        clients.reservations[identifier] != nil || scenes[identifier]?.isLeaving == true
          || pendingSessions.isUndecided(identifier),
        "a request waits for \(identifier), which is free or held")
    }
    flaws.found += deferred.flaws + conditionWaiters.flaws
    for waiter in conditionWaiters[.settled] {
      flaws.unless(
        clients[waiter.requester.connection] != nil, "a settle request has no connection")
    }
    flaws.found += pending.flaws
    for identifier in pending.sessions {
      flaws.unless(
        scenes[identifier] != nil || launches.contains(identifier),
        "work waits for \(identifier), which has no scene and no launch")
    }
  }

  private func checkLaunches(_ flaws: inout Flaws) {
    flaws.found += launches.flaws
    for identifier in launches.sessions {
      flaws.unless(!isShuttingDown, "\(identifier) is launched in a shutdown")
      flaws.unless(
        store.contains(identifier) != (pendingSessions.configured(identifier) != nil),
        "the launch of \(identifier) and its session disagree about its creation")
      flaws.unless(
        scenes[identifier] == nil && clients.reservations[identifier] == nil,
        "\(identifier) is launched, but held or reserved")
      flaws.unless(
        startCount(for: identifier) <= LaunchSupervisor.startLimit,
        "\(identifier) was launched too often")
      for delivery in pending.waiters(of: identifier).compactMap(\.delivery) {
        flaws.unless(
          pending.hasDelivery(delivery, of: identifier),
          "a request waits for a delivery that is not queued")
      }
    }
    for identifier in launches.restarts.sessions {
      flaws.unless(
        store.listed(identifier)?.isPresent == true, "\(identifier) has crashed, but is not here")
      flaws.unless(
        scenes[identifier] == nil || launches.restarts.status(of: identifier) == nil,
        "\(identifier) is connected, but waits for a restart")
    }
    for session in pendingSessions.configured {
      flaws.unless(
        launches.contains(session.pending.identifier),
        "\(session.pending.identifier) is configured, but not launched")
    }
    for (launch, process) in launches.processesThatRun {
      guard let connection = process.connection, let client = clients[connection] else { continue }
      flaws.unless(client.launch == launch, "a connection does not know its process")
    }
  }

  private func checkDerived(_ flaws: inout Flaws) {
    flaws.unless(
      phase == ApplicationPhase(highest: scenes.highestState),
      "the phase differs from the highest state")
    flaws.found += pendingSessions.flaws + delegate.flaws
    for name in pendingSessions.names {
      flaws.unless(store.listed(named: name) == nil, "the name \(name) of a new session is taken")
    }
    flaws.unless(
      pendingSessions.firstUndecided == nil || delegate.question != nil,
      "a session is being created, but no question is pending")
    if let connection = delegate.connection {
      flaws.unless(clients[connection] != nil, "the application delegate is gone")
    }
    for identifier in clients.previousHolders.keys {
      flaws.unless(
        store.contains(identifier) && scenes[identifier] == nil,
        "\(identifier) has a last holder, but is held or gone")
    }
  }

  // MARK: - Topics

  private func checkTopics(_ flaws: inout Flaws) {
    for name in store.state.topics.keys {
      flaws.unless(topics.transient[name] == nil, "topic \(name) is stored and in memory")
    }
    flaws.found += topics.flaws
    for name in topics.names {
      flaws.unless(topic(name) != nil, "\(name) is observed, but is no topic")
      for observation in topics.observers(of: name) { check(observation, of: name, &flaws) }
    }
    for session in topics.replayingScenes {
      flaws.unless(scenes[session] != nil, "\(session) replays events and has no scene")
    }
    for connection in topics.receivers {
      flaws.unless(clients[connection] != nil, "events flow to a connection that is gone")
    }
  }

  /// The observers of changes and of the trace.
  private func checkObservers(_ flaws: inout Flaws) {
    flaws.found += traceBuffer.flaws
    for connection in changes.observers.union(traceBuffer.observers) {
      flaws.unless(clients[connection] != nil, "an observer has no connection")
    }
    for record in changes.awaitedRecords {
      flaws.unless(store.isUnsynced(record), "a notification waits for record \(record)")
    }
  }

  private func check(_ observation: Observation, of name: String, _ flaws: inout Flaws) {
    let connection = observation.connection
    flaws.unless(
      clients[connection]?.isOpen == true, "an observer of \(name) has no open connection")
    guard let session = observation.session else { return }
    flaws.unless(
      scenes[session]?.holder == connection,
      "\(name) is observed for \(session), which is not held by its observer")
  }
}

extension Sequence where Element: Comparable {
  /// Whether each element is greater than the one before it.
  var isStrictlyRising: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
