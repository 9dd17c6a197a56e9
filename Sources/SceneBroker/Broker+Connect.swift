import SceneModel

/// `scene/connect`: which session the asker becomes the scene of.
extension Broker {
  mutating func connect(_ message: SceneConnect, _ asker: Asker, fresh: SessionIdentifier) {
    connect(message, asker, fresh: fresh, besides: [])
  }

  /// Tried again when what stood in the way may be gone. Those who were `asked` about are in the
  /// way, if they still are.
  mutating func connect(
    _ message: SceneConnect, _ asker: Asker, fresh: SessionIdentifier,
    besides asked: [ClientProcess]
  ) {
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      if let error = storageRefusal(of: .little) { throw error }
      if let resume = message.resume { return try self.resume(message, resume, asker) }
      if mustAwaitDelegate(asker, making: false) {
        return try awaitDelegate(.connect(message), asker, fresh: fresh)
      }
      let choice = try choose(message, asker, besides: asked)
      guard choice.inTheWay.isEmpty else {
        return try inquire(
          about: choice.inTheWay, besides: asked, for: .connect(message), asker, fresh)
      }
      guard let identifier = choice.session else {
        guard !mustAwaitDelegate(asker, making: true) else {
          return try awaitDelegate(.connect(message), asker, fresh: fresh)
        }
        return try beginCreation(of: message, asker, fresh: fresh)
      }
      try take(identifier, message, asker, fresh, besides: asked)
    } catch {
      refuse(asker, error)
    }
  }

  private func checkForm(of message: SceneConnect) throws(BrokerError) {
    let ways = [message.session != nil, message.name != nil, message.new].count { $0 }
    guard ways <= 1 else {
      throw BrokerError(.invalidParams, "session, name, new: give one of them, or none")
    }
    guard message.resume == nil || message.session != nil else {
      throw BrokerError(.invalidParams, "resume: needs the session that is resumed")
    }
    guard message.activity == nil || message.resume != nil else {
      throw BrokerError(
        .invalidParams, "activity: goes with resume; save it once the scene is connected")
    }
    try check(name: message.name)
    try check(title: message.title, "title")
    if let userInfo = message.userInfo { try check(userInfo) }
    if let options = message.options { try check(options) }
    if let activity = message.activity { try check(activity) }
  }

  var shuttingDown: BrokerError {
    BrokerError(.shuttingDown, "the application is ending; start the broker again to go on")
  }

  // MARK: - Choosing

  private struct Choice {
    /// Nil for a new one.
    var session: SessionIdentifier?
    /// Holders of sessions that would be the better choice, if they are coming to their end.
    var inTheWay: [ClientProcess] = []
  }

  private mutating func choose(
    _ message: SceneConnect, _ asker: Asker, besides asked: [ClientProcess]
  ) throws(BrokerError) -> Choice {
    if let identifier = message.session {
      guard stored.contains(identifier) else { throw notFound(identifier) }
      return Choice(session: identifier)
    }
    if let name = message.name { return Choice(session: try sessionToTake(named: name)) }
    if message.new { return Choice() }
    // Whichever program it is: it has one session.
    if manifest.isClassic, let only = stored.sessions.keys.first { return Choice(session: only) }
    return try mostRecentlyUsed(message, asker, besides: asked)
  }

  /// Nil if there is none of this name, so that it can be made.
  func sessionToTake(named name: String) throws(BrokerError) -> SessionIdentifier? {
    if creations.contains(where: { $0.name == name }) {
      throw BrokerError(
        .sessionInUse, "\(name.clipped(to: 100)) is being made right now", retry: .now)
    }
    if toBeLaunched(named: name) != nil {
      throw BrokerError(
        .sessionInUse,
        "\(name.clipped(to: 100)) is being made right now, and a program started for it",
        retry: .later)
    }
    guard let identifier = session(named: name) else { return nil }
    guard !departing.contains(identifier) else {
      throw BrokerError(
        .sessionInUse, "\(name.clipped(to: 100)) is being discarded right now", retry: .now)
    }
    return identifier
  }

  /// The session of this name that a process is being started for, and that is not there before.
  func toBeLaunched(named name: String) -> SessionIdentifier? {
    launches.first { $0.value.decided?.creation.name == name }?.key
  }

  /// The most recently used unattached session made by a client of the same name, of the same role
  /// and configuration.
  private mutating func mostRecentlyUsed(
    _ message: SceneConnect, _ asker: Asker, besides asked: [ClientProcess]
  ) throws(BrokerError) -> Choice {
    guard let peer = peers[asker.connection], let client = peer.client else { return Choice() }
    let role = message.role ?? .windowApplication
    let wanted = try message.configuration.map { name throws(BrokerError) in
      try configuration(meantBy: name, for: role)?.name ?? name
    }
    var kind = Recency.Kind(
      maker: client.name, role: role, configuration: wanted, isHeld: false)
    let free = recency.newestFirst(kind, in: stored).first { _ in true }
    kind.isHeld = true
    let held = recency.newestFirst(kind, in: stored)
    return choice(free, besides: held, asker.connection, peer.process, asked)
  }

  /// Of the sessions that are `held`, the newest first, those that were used after the one that is
  /// free: their holders are in the way, until so many were asked about; and one that is kept for
  /// the asker is its own.
  private func choice(
    _ free: SessionIdentifier?, besides held: some Sequence<SessionIdentifier>,
    _ asker: ConnectionIdentifier, _ process: ClientProcess, _ asked: [ClientProcess]
  ) -> Choice {
    var choice = Choice(session: free)
    let newest = free.flatMap { stored[$0]?.tenure.order } ?? .min
    for identifier in held {
      let isFull = asked.count + choice.inTheWay.count >= limits.holdersAskedAbout
      // The asker's own may still come.
      guard !isFull || !reserved.isEmpty, stored[identifier]?.tenure.order ?? .min > newest
      else { break }
      if let holder = otherHolder(of: identifier, than: asker, process) {
        guard !isFull, !choice.inTheWay.contains(holder), !asked.contains(holder) else { continue }
        choice.inTheWay.append(holder)
      } else if scenes[identifier] == nil {
        choice.session = identifier
        break
      }
    }
    return choice
  }

  /// The process that has a session, or for which it is kept, if that is not the asker's.
  private func otherHolder(
    of identifier: SessionIdentifier, than asker: ConnectionIdentifier, _ process: ClientProcess
  ) -> ClientProcess? {
    if let scene = scenes[identifier] {
      return scene.holder == asker ? nil : peers[scene.holder]?.process
    }
    return reserved[identifier].flatMap { $0 == process ? nil : $0 }
  }

  // MARK: - Taking a session that is there

  private mutating func take(
    _ identifier: SessionIdentifier, _ message: SceneConnect, _ asker: Asker,
    _ fresh: SessionIdentifier, besides asked: [ClientProcess]
  ) throws(BrokerError) {
    guard let session = stored[identifier], let peer = peers[asker.connection] else {
      throw notFound(identifier)
    }
    if let role = message.role, role != session.attributes.role {
      throw wrongRole(label(of: identifier), "has", session.attributes.role, role)
    }
    if let holder = otherHolder(of: identifier, than: asker.connection, peer.process),
      !message.takeOver, !asked.contains(holder), scenes[identifier]?.isLeaving != true
    {
      return try inquire(about: [holder], besides: asked, for: .connect(message), asker, fresh)
    }
    if !message.takeOver { try checkFree(identifier, for: peer.process) }
    try checkRoom(on: asker.connection, besides: identifier)
    replace(identifier, by: asker)
    give(
      identifier, to: asker.connection,
      Entrance(
        reason: reason(toConnect: identifier), target: message.background ? .background : nil,
        options: message.options ?? .none,
        missingConfiguration: message.isFound
          ? missing(message.configuration, for: session.attributes.role) : nil,
        title: message.title, requester: asker))
    overtakeLaunch(of: identifier)
    retryWaiting(for: identifier)
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
    if let holder = reserved[identifier], holder != process { throw kept(identifier, for: holder) }
  }

  func kept(_ identifier: SessionIdentifier, for holder: ClientProcess) -> BrokerError {
    BrokerError(
      .sessionInUse,
      "\(label(of: identifier)) is kept for process \(holder.pid), which held it before",
      retry: .later)
  }

  func inUse(
    _ identifier: SessionIdentifier, by holder: ConnectionIdentifier
  ) -> BrokerError {
    let client = peers[holder]?.client
    let name = client?.name.clipped(to: 100) ?? "a client"
    return BrokerError(
      .sessionInUse,
      "\(label(of: identifier)) is held by \(name) \(client?.pid ?? 0)")
  }

  /// One connection can hold so many scenes, not counting the one that is about to be replaced.
  func checkRoom(
    on connection: ConnectionIdentifier, besides replaced: SessionIdentifier? = nil
  ) throws(BrokerError) {
    let held = peers[connection]?.held ?? []
    let own = replaced.map { held.contains($0) } == true ? 1 : 0
    guard held.count - own < limits.scenesPerConnection else {
      throw BrokerError(
        .tooMany, "one connection holds at most \(limits.scenesPerConnection) scenes")
    }
  }

  /// Why it would be connected if nothing in particular brought it.
  func reason(toConnect identifier: SessionIdentifier) -> ConnectReason {
    guard let tenure = stored[identifier]?.tenure, tenure.hold > 0 else { return .launch }
    return tenure.end?.reason.nextConnectReason ?? .recover
  }
}

extension SceneConnect {
  /// Whether the session is one that suits, not one that was named; then its configuration counts.
  fileprivate var isFound: Bool { session == nil && name == nil }
}
