package import SceneModel

/// The start of the broker: sessions whose holders still run are reserved for some time.
extension Broker {
  /// The processes that held a session when the previous broker ended.
  package var previousHolders: [ClientProcess] {
    var holders: [ClientProcess] = []
    var seen: Set<ClientProcess> = []
    let (held, shutDown) = store.sessionsOfProcesses
    for holder in held.compactMap(\.hold.holder) + shutDown.compactMap(\.hold.previousHolder)
    where seen.insert(holder).inserted {
      holders.append(holder)
    }
    return holders
  }

  mutating func start(
    living: [ClientProcess], booted: Int64?, directories: [SessionIdentifier]
  ) {
    traceUpgrade()
    for session in directories { noteDirectory(of: session) }
    makeClassicSession()
    declareTopics()
    let living = Set(living)
    let (held, shutDown) = store.sessionsOfProcesses
    for session in held {
      guard let holder = session.hold.holder else { continue }
      let identifier = session.attributes.identifier
      if living.contains(holder) {
        clients.reservations[identifier] = holder
      } else {
        // A hold that is older than the machine's start ended with the machine.
        let isOlder = booted.map { session.hold.used < $0 } == true
        let cause = isOlder ? DisconnectCause.machineStopped : nil
        recordEnd(of: identifier, DisconnectOutcome(reason: .connectionLost, cause: cause))
        trace(.disconnected, identifier) {
          ($0.reason, $0.detail) = (DisconnectReason.connectionLost.rawValue, cause?.words)
        }
      }
    }
    // Their processes wait for this broker.
    for session in shutDown {
      guard let process = session.hold.previousHolder, living.contains(process) else { continue }
      clients.reservations[session.attributes.identifier] = process
    }
    if clients.reservations.count > 0 {
      effects.timers.append(.set(.reservations, .reservation))
      if resumptionQueue.isActive {
        effects.timers.append(.set(.resumption, ResumptionQueue.time))
      }
    }
    for (session, end) in launches.restarts.pauses {
      effects.timers.append(.set(.restart(session), .milliseconds(max(0, end - now.wall))))
    }
    emptyTrashOnTime()
    watchPressure()
  }

  /// A classic application has one session from the start.
  private mutating func makeClassicSession() {
    guard manifest.isClassic, store.sessions.isEmpty,
      let configuration = manifest.configurations(for: .windowApplication).first
    else { return }
    let identifier = identifiers.next()
    record(
      .session(
        SessionAttributes(
          identifier: identifier, configuration: configuration, created: now.wall)))
    trace(.created, identifier)
  }

  /// The time of the reservations is over.
  mutating func endReservations() {
    for identifier in store.inOrderOfUse(clients.reservations.keys) { release(identifier) }
  }

  /// A previous holder is about to end: its sessions are free at once.
  mutating func release(reservedFor process: ClientProcess) {
    for identifier in store.inOrderOfUse(clients.reservations.filter { $0.value == process }.keys) {
      release(identifier)
    }
  }

  private mutating func release(_ identifier: SessionIdentifier) {
    clients.reservations[identifier] = nil
    guard store[identifier]?.hold.holder != nil else {
      return deferred.fulfill(.session(identifier))
    }
    let outcome = DisconnectOutcome(reason: .connectionLost)
    recordEnd(of: identifier, outcome)
    notifyDelegate(
      .sceneDisconnected(SceneDisconnected(session: identifier, end: outcome)), about: identifier)
    trace(.disconnected, identifier) { $0.reason = outcome.reason.rawValue }
    markChanged(identifier)
    deferred.fulfill(.session(identifier))
  }
}
