import SceneModel

/// What must be so between any two events, from `started` on. A broker that finds it otherwise has
/// a fault: simulations check it after every step, and a recovery once.
extension Broker {
  /// Every invariant that does not hold, as a sentence.
  package func checkInvariants() -> [String] {
    var flaws = Flaws()
    checkStored(&flaws)
    checkHolders(&flaws)
    for (identifier, scene) in scenes { check(scene, identifier, &flaws) }
    checkCallbacks(&flaws)
    checkDeparting(&flaws)
    checkWaiting(&flaws)
    checkLaunches(&flaws)
    checkDerived(&flaws)
    checkTopics(&flaws)
    return flaws.found.sorted()
  }

  struct Flaws {
    var found: [String] = []

    mutating func unless(_ condition: Bool, _ flaw: @autoclosure () -> String) {
      if !condition { found.append(flaw()) }
    }
  }

  // MARK: - What survives

  private func checkStored(_ flaws: inout Flaws) {
    var named = 0
    var bytes = stored.discarded.reduce(0) { $0 + $1.session.byteCount }
    for (identifier, session) in stored.sessions {
      bytes += session.byteCount
      if let name = session.attributes.name {
        named += 1
        flaws.unless(stored.names[name] == identifier, "\(name) is the name of another as well")
      }
      flaws.unless(
        session.attributes.identifier == identifier, "\(identifier) is stored as another")
      check(session.tenure, of: identifier, &flaws)
      check(session.generations, of: identifier, &flaws)
    }
    flaws.unless(named == stored.names.count, "the index of names is not of the names")
    flaws.unless(
      bytes == stored.byteCount, "\(bytes) bytes are stored, \(stored.byteCount) counted")
  }

  private func check(
    _ tenure: Tenure, of identifier: SessionIdentifier, _ flaws: inout Flaws
  ) {
    flaws.unless(tenure.session == identifier, "\(identifier) has the tenure of another")
    flaws.unless(tenure.order <= stored.lastOrder, "\(identifier) was used in the future")
    flaws.unless(
      tenure.holder == nil || tenure.end == nil, "\(identifier) is held and has an end")
  }

  private func check(
    _ generations: [Generation], of identifier: SessionIdentifier, _ flaws: inout Flaws
  ) {
    var last: Int64 = .min
    var isRising = generations.count <= StoredSession.generationsKept
    for generation in generations {
      if generation.number <= last { isRising = false }
      last = generation.number
    }
    flaws.unless(isRising, "\(identifier) has the generations \(generations.map(\.number))")
  }

  /// Who is said to hold a session on disk is who holds it, or for whom it is kept.
  private func checkHolders(_ flaws: inout Flaws) {
    for (identifier, session) in stored.sessions {
      let holder = scenes[identifier].flatMap { peers[$0.holder]?.process }
      flaws.unless(
        session.tenure.holder == holder ?? reserved[identifier],
        "\(identifier) is stored with another holder than it has")
    }
    for identifier in reserved.keys {
      flaws.unless(stored.contains(identifier), "\(identifier) is kept but not there")
      flaws.unless(scenes[identifier] == nil, "\(identifier) is kept and held")
    }
    for (connection, peer) in peers {
      flaws.unless(
        Set(peer.held).count == peer.held.count, "\(connection.number) holds a session twice")
      for identifier in peer.held {
        flaws.unless(
          scenes[identifier]?.holder == connection,
          "\(connection.number) holds \(identifier), which has another scene or none")
      }
    }
  }

  // MARK: - Scenes

  private func check(
    _ scene: LiveScene, _ identifier: SessionIdentifier, _ flaws: inout Flaws
  ) {
    flaws.unless(
      peers[scene.holder]?.held.contains(identifier) == true,
      "the holder of \(identifier) does not know of it")
    flaws.unless(session(identifier) != nil, "the scene of \(identifier) has no session")
    if let tenure = stored[identifier]?.tenure {
      flaws.unless(tenure.hold == scene.hold, "\(identifier) is stored with another hold")
    }
    flaws.unless(
      scene.running != nil || scene.isAtRest, "\(identifier) is on its way, but nothing goes on")
    flaws.unless(
      (scene.state == .unattached) == (scene.running?.kind == .willConnect),
      "\(identifier) is \(scene.state), and runs \(String(describing: scene.running?.kind))")
    flaws.unless(
      (scene.target == .unattached) == (scene.departure != nil),
      "\(identifier) goes to \(scene.target); its departure is "
        + String(describing: scene.departure)
    )
    flaws.unless(
      scene.bringing == nil || scene.state == .unattached,
      "\(identifier) has arrived and is still being brought")
    flaws.unless(
      !isShuttingDown || scene.target == .unattached, "\(identifier) stays in a shutdown")
    checkArrivals(of: scene, identifier, &flaws)
  }

  private func checkArrivals(
    of scene: LiveScene, _ identifier: SessionIdentifier, _ flaws: inout Flaws
  ) {
    flaws.unless(
      scene.arrivals.isEmpty || !scene.isAtRest, "\(identifier) has arrived; some still wait")
    for arrival in scene.arrivals {
      flaws.unless(
        arrival.asker.connection != scene.holder && arrival.asker.request != nil,
        "a request waits for \(identifier) that need not")
      flaws.unless(
        !arrival.isDiverted || arrival.delivery != nil, "a diverted request still waits")
      if let delivery = arrival.delivery {
        flaws.unless(
          scene.deliveries.contains(delivery) || scene.running?.completes == delivery,
          "a request waits for a delivery to \(identifier) that is not to come")
      }
    }
  }

  /// Every callback whose answer counts is one that its scene knows of, and the other way round.
  private func checkCallbacks(_ flaws: inout Flaws) {
    var expected: [ConnectionIdentifier: [Int64: SessionIdentifier]] = [:]
    for (identifier, scene) in scenes {
      for number in [scene.running?.identifier, scene.lateAsk].compactMap({ $0 }) {
        expected[scene.holder, default: [:]][number] = identifier
      }
      if let running = scene.running {
        flaws.unless(
          peers[scene.holder]?.kind(of: running.identifier) == running.kind,
          "callback \(running.identifier) of \(identifier) is not known to its holder")
      }
    }
    for (connection, peer) in peers {
      flaws.unless(
        peer.unanswered.mapValues(\.session) == expected[connection] ?? [:],
        "\(connection.number) has other callbacks unanswered than its scenes wait for")
    }
  }

  // MARK: - The rest

  private func checkDeparting(_ flaws: inout Flaws) {
    for (identifier, session) in departing.sessions {
      flaws.unless(scenes[identifier] != nil, "\(identifier) departs without a scene")
      flaws.unless(!stored.contains(identifier), "\(identifier) departs and is stored")
      if let name = session.attributes.name {
        flaws.unless(departing.names[name] == identifier, "\(name) of \(identifier) is lost")
        flaws.unless(stored.names[name] == nil, "\(name) was given away too early")
      }
    }
    let named = departing.sessions.values.count { $0.attributes.name != nil }
    flaws.unless(departing.names.count == named, "a name departs without a session")
  }

  private func checkWaiting(_ flaws: inout Flaws) {
    for request in waiting.requests {
      flaws.unless(
        peers[request.asker.connection] != nil || request.asker == .nobody,
        "a request of a connection that is gone waits")
      if case .delegate = request.cause {
        flaws.unless(
          mustAwaitDelegate(request.asker, making: true),
          "a request waits for the application delegate without need")
      }
      guard case .session(let identifier) = request.cause else { continue }
      flaws.unless(
        reserved[identifier] != nil || scenes[identifier]?.isLeaving == true,
        "a request waits for \(identifier), which is free or held")
    }
    flaws.unless(waiting.isIndexed, "a waiting request is not found by what it waits for")
    for settler in settlers {
      flaws.unless(peers[settler.asker.connection] != nil, "a settler is gone")
    }
    var remaining: [UInt64: Int] = [:]
    let arrivals = scenes.values.flatMap(\.arrivals) + launches.values.flatMap(\.arrivals)
    for number in arrivals.compactMap(\.group) { remaining[number, default: 0] += 1 }
    flaws.unless(remaining == groups.remaining, "a group waits for other sessions than it has")
  }

  private func checkLaunches(_ flaws: inout Flaws) {
    for (identifier, launch) in launches {
      flaws.unless(!isShuttingDown, "\(identifier) is launched in a shutdown")
      flaws.unless(
        stored.contains(identifier) != (launch.decided != nil),
        "\(identifier) is launched, and not there or made again")
      flaws.unless(
        scenes[identifier] == nil && reserved[identifier] == nil,
        "\(identifier) is launched, and held or kept")
      flaws.unless(launch.stage != .undecided, "\(identifier) is launched, and nothing goes on")
      flaws.unless(
        launch.bringing.starts <= Self.mostStarts, "\(identifier) was launched too often")
      if let process = launch.process {
        flaws.unless(
          programs[process]?.session == identifier, "\(identifier) waits for another's process")
      }
      flaws.unless(
        launch.stage != .queued || programs.running.values.contains(where: \.isUndecided),
        "\(identifier) waits for others to be started, and there are none")
      for arrival in launch.arrivals {
        flaws.unless(arrival.asker.request != nil, "a request waits for a launch that need not")
        if let delivery = arrival.delivery {
          flaws.unless(
            launch.deliveries.contains(delivery), "a request waits for what is not delivered")
        }
      }
    }
    for (process, program) in programs.running {
      flaws.unless(
        programs.undecidedCount(program.kind) <= Self.mostStarts, "too many are being started")
      guard let connection = program.connection, let peer = peers[connection] else { continue }
      flaws.unless(peer.launch == process, "a process is not known to its connection")
    }
  }

  private func checkDerived(_ flaws: inout Flaws) {
    var counted = Census()
    for scene in scenes.values { counted.add(scene.state) }
    flaws.unless(counted == census, "the census is not of the scenes")
    flaws.unless(phase == ApplicationPhase(highest: census.highest), "the phase is another")
    flaws.unless(
      creations.isEmpty || delegate?.running != nil, "a session is being made, and nothing goes on")
    if let delegate {
      flaws.unless(peers[delegate.connection] != nil, "the application delegate is gone")
    }
    if let listing {
      let all = Set(stored.sessions.keys).union(departing.sessions.keys)
      flaws.unless(listing == all.sorted(), "the list is not of the sessions")
    }
    flaws.unless(recency.agrees(with: stored), "the order of use is not that of the sessions")
    for identifier in lastHolders.keys {
      flaws.unless(
        stored.contains(identifier) && scenes[identifier] == nil,
        "\(identifier) has a last holder, and is held or gone")
    }
  }
}
