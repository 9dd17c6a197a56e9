import SceneModel

/// `scene/connect`: which session the requester becomes the scene of.
extension Broker {
  mutating func connect(_ message: SceneConnect, _ attempt: Attempt) {
    let requester = attempt.requester
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      if let error = store.admission(of: .little) { throw error }
      if let resume = message.resume { return try self.resume(message, resume, requester) }
      if mustAwaitDelegate(requester, making: false) {
        return try deferRequest(.connect(message), attempt, until: .delegate)
      }
      let choice = try choose(message, attempt)
      guard choice.inTheWay.isEmpty else {
        return try inquire(about: choice.inTheWay, before: .connect(message), attempt)
      }
      guard let identifier = choice.session else {
        guard !mustAwaitDelegate(requester, making: true) else {
          return try deferRequest(.connect(message), attempt, until: .delegate)
        }
        return try beginCreation(of: message, attempt)
      }
      try take(identifier, message, attempt)
    } catch {
      refuse(requester, error)
    }
  }

  private func checkForm(of message: SceneConnect) throws(BrokerError) {
    let ways = [message.session != nil, message.name != nil, message.new].count { $0 }
    guard ways <= 1 else {
      throw BrokerError(.invalidParams, "session, name, new: give at most one")
    }
    guard message.resume == nil || message.session != nil else {
      throw BrokerError(.invalidParams, "session: missing; resume needs the session to resume")
    }
    guard message.activity == nil || message.resume != nil else {
      throw BrokerError(
        .invalidParams, "activity: allowed only with resume; save the activity after the reply")
    }
    try check(name: message.name)
    try check(title: message.title, "title")
    if let userInfo = message.userInfo { try check(userInfo) }
    if let options = message.options { try check(options) }
    if let activity = message.activity { try check(activity) }
  }

  var shuttingDown: BrokerError {
    BrokerError(.shuttingDown, "the application is shutting down; start the broker again")
  }

  // MARK: - Choosing

  private struct Choice {
    /// Nil for a new one.
    var session: SessionIdentifier?
    /// Holders of sessions that would be the better choice, if they are coming to their end.
    var inTheWay: [ClientProcess] = []
  }

  private mutating func choose(
    _ message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) -> Choice {
    if let identifier = message.session {
      guard store.contains(identifier) else { throw notFound(identifier) }
      return Choice(session: identifier)
    }
    if let name = message.name { return Choice(session: try sessionToTake(named: name)) }
    if message.new { return Choice() }
    // Whichever program it is: it has one session.
    if manifest.isClassic, let only = store.state.sessions.keys.first {
      return Choice(session: only)
    }
    return try mostRecentlyUsed(message, attempt)
  }

  /// Nil if there is none of this name, so that it can be made.
  func sessionToTake(named name: String) throws(BrokerError) -> SessionIdentifier? {
    if pendingSessions.hasUndecided(named: name) {
      throw BrokerError(
        .sessionInUse, "\(name.clipped(to: 100)) is being created right now", retry: .now)
    }
    if toBeLaunched(named: name) != nil {
      throw BrokerError(
        .sessionInUse,
        "\(name.clipped(to: 100)) is being created right now: a program is starting for it",
        retry: .later)
    }
    guard let identifier = store.listed(named: name) else { return nil }
    guard !store.isDiscarding(identifier) else {
      throw BrokerError(
        .sessionInUse, "\(name.clipped(to: 100)) is being discarded right now", retry: .now)
    }
    return identifier
  }

  /// The session of this name that a process is being started for, and that is not there before.
  func toBeLaunched(named name: String) -> SessionIdentifier? {
    pendingSessions.configured(named: name)
  }

  /// The most recently used unattached session made by a client of the same name, of the same role
  /// and configuration.
  private mutating func mostRecentlyUsed(
    _ message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) -> Choice {
    let connection = attempt.requester.connection
    guard let process = clients.process(of: connection),
      let client = clients.client(of: connection)
    else { return Choice() }
    let role = message.role ?? .windowApplication
    let wanted = try message.configuration.map { name throws(BrokerError) in
      try configuration(meantBy: name, for: role)?.name ?? name
    }
    var kind = LRUIndex.Key(
      maker: client.name, role: role, configuration: wanted, isHeld: false)
    let free = store.newestFirst(kind).first { _ in true }
    kind.isHeld = true
    let held = store.newestFirst(kind)
    return choice(free, among: held, connection, process, attempt.queried)
  }

  /// The holders of the `held` sessions that are newer than the free one are in the way, up to the
  /// limit of queries. `held` begins with the newest. A session that is reserved for the requester's
  /// process is free.
  private func choice(
    _ free: SessionIdentifier?, among held: some Sequence<SessionIdentifier>,
    _ requester: ConnectionIdentifier, _ process: ClientProcess, _ queried: [ClientProcess]
  ) -> Choice {
    var choice = Choice(session: free)
    let newest = free.flatMap { store[$0]?.tenure.order } ?? .min
    for identifier in held {
      let isFull = queried.count + choice.inTheWay.count >= limits.holdersAskedAbout
      // The requester's own may still come.
      guard !isFull || clients.reservationCount > 0,
        store[identifier]?.tenure.order ?? .min > newest
      else { break }
      if let holder = otherHolder(of: identifier, than: requester, process) {
        guard !isFull, !choice.inTheWay.contains(holder), !queried.contains(holder)
        else { continue }
        choice.inTheWay.append(holder)
      } else if !scenes.contains(identifier) {
        choice.session = identifier
        break
      }
    }
    return choice
  }

  /// The process that has a session, or for which it is kept, if that is not the requester's.
  private func otherHolder(
    of identifier: SessionIdentifier, than requester: ConnectionIdentifier, _ process: ClientProcess
  ) -> ClientProcess? {
    if let scene = scenes[identifier] {
      return scene.holder == requester ? nil : clients.process(of: scene.holder)
    }
    return clients.reservation(of: identifier).flatMap { $0 == process ? nil : $0 }
  }

  // MARK: - Taking a session that is there

  private mutating func take(
    _ identifier: SessionIdentifier, _ message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) {
    let requester = attempt.requester
    guard let session = store[identifier],
      let process = clients.process(of: requester.connection)
    else { throw notFound(identifier) }
    if let role = message.role, role != session.attributes.role {
      throw wrongRole(label(of: identifier), "has", session.attributes.role, role)
    }
    if let holder = otherHolder(of: identifier, than: requester.connection, process),
      !message.takeOver, !attempt.queried.contains(holder), !scenes.isLeaving(identifier)
    {
      return try inquire(about: [holder], before: .connect(message), attempt)
    }
    if !message.takeOver { try checkFree(identifier, for: process) }
    try clients.checkRoom(on: requester.connection, replacing: identifier)
    replace(identifier, by: requester)
    give(
      identifier, to: requester.connection,
      Entrance(
        reason: reason(toConnect: identifier), target: message.background ? .background : nil,
        options: message.options ?? .none,
        missingConfiguration: message.isFound
          ? missing(message.configuration, for: session.attributes.role) : nil,
        title: message.title, requester: requester))
    overtakeLaunch(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  private func checkFree(
    _ identifier: SessionIdentifier, for process: ClientProcess
  ) throws(BrokerError) {
    if let scene = scenes[identifier] {
      throw scene.isLeaving
        ? BrokerError(
          .sessionInUse, "\(label(of: identifier)) is being disconnected right now", retry: .now)
        : inUse(identifier, by: scene.holder)
    }
    if let holder = clients.reservation(of: identifier), holder != process {
      throw kept(identifier, for: holder)
    }
  }

  func kept(_ identifier: SessionIdentifier, for holder: ClientProcess) -> BrokerError {
    BrokerError(
      .sessionInUse,
      "\(label(of: identifier)) is reserved for its previous holder, process \(holder.pid)",
      retry: .later)
  }

  func inUse(
    _ identifier: SessionIdentifier, by holder: ConnectionIdentifier
  ) -> BrokerError {
    let client = clients.client(of: holder)
    let name = client?.name.clipped(to: 100) ?? "a client"
    return BrokerError(
      .sessionInUse,
      "\(label(of: identifier)) is held by \(name) \(client?.pid ?? 0)")
  }

  /// Why it would be connected if nothing in particular brought it.
  func reason(toConnect identifier: SessionIdentifier) -> ConnectReason {
    guard let tenure = store[identifier]?.tenure, tenure.hold > 0 else { return .launch }
    return tenure.end?.reason.nextConnectReason ?? .recover
  }
}

extension SceneConnect {
  /// Whether the session is one that suits, not one that was named; then its configuration counts.
  fileprivate var isFound: Bool { session == nil && name == nil }
}
