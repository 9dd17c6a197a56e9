import SceneModel

/// `scene/connect`: which session the asker becomes the scene of.
extension Broker {
  mutating func connect(_ message: SceneConnect, _ asker: Asker, fresh: SessionIdentifier) {
    connect(message, asker, fresh: fresh, askingAboutHolders: true)
  }

  /// Tried again when what stood in the way may be gone.
  mutating func connect(
    _ message: SceneConnect, _ asker: Asker, fresh: SessionIdentifier,
    askingAboutHolders: Bool
  ) {
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      if let error = storageRefusal(growing: false) { throw error }
      if let resume = message.resume { return try self.resume(message, resume, asker) }
      let choice = try choose(message, asker)
      switch choice {
      case .existing(let identifier):
        try take(identifier, message, asker, fresh, askingAboutHolders: askingAboutHolders)
      case .new(let busy):
        guard askingAboutHolders, !busy.isEmpty else {
          return try beginCreation(of: message, asker, fresh: fresh)
        }
        inquire(about: busy, for: .connect(message), asker, fresh)
      case .better(let identifier, than: let busy):
        guard askingAboutHolders else {
          return try take(identifier, message, asker, fresh, askingAboutHolders: false)
        }
        inquire(about: busy, for: .connect(message), asker, fresh)
      }
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

  private enum Choice {
    case existing(SessionIdentifier)
    /// A new one, unless one of these holders, of the asker's own kind, is coming to its end.
    case new(busy: [ConnectionIdentifier])
    /// This one, unless one that was used more recently is about to be free.
    case better(SessionIdentifier, than: [ConnectionIdentifier])
  }

  private func choose(
    _ message: SceneConnect, _ asker: Asker
  ) throws(BrokerError) -> Choice {
    if let identifier = message.session {
      guard stored[identifier] != nil else { throw notFound(identifier) }
      return .existing(identifier)
    }
    if let name = message.name {
      if creations.values.contains(where: { $0.name == name }) {
        throw BrokerError(.sessionInUse, "\(name) is being made right now", retry: .now)
      }
      guard let identifier = session(named: name) else { return .new(busy: []) }
      guard departing[identifier] == nil else {
        throw BrokerError(.sessionInUse, "\(name) is being discarded right now", retry: .now)
      }
      return .existing(identifier)
    }
    return message.new ? .new(busy: []) : mostRecentlyUsed(message, asker)
  }

  /// How many holders are asked about: each costs a look at the process.
  private static let holdersAskedAbout = 64

  /// The most recently used unattached session made by a client of the same name, of the same role and configuration.
  private func mostRecentlyUsed(_ message: SceneConnect, _ asker: Asker) -> Choice {
    guard let peer = peers[asker.connection], let client = peer.client else {
      return .new(busy: [])
    }
    var best: StoredSession?
    var busy: [(order: Int64, holder: ConnectionIdentifier)] = []
    for session in stored.sessions.values
    where session.attributes.maker == client.name
      && session.attributes.role == message.role ?? .windowApplication
      && message.configuration ?? session.attributes.configuration.name
        == session.attributes.configuration.name
    {
      let identifier = session.attributes.identifier
      if let scene = scenes[identifier] {
        if scene.holder != asker.connection { busy.append((session.tenure.order, scene.holder)) }
      } else if let holder = reserved[identifier], holder != peer.process {
        continue
      } else if session.tenure.order >= best?.tenure.order ?? 0,
        session.attributes.identifier > best?.attributes.identifier ?? .none
          || session.tenure.order > best?.tenure.order ?? 0
      {
        best = session
      }
    }
    let inTheWay =
      busy.filter { $0.order > best?.tenure.order ?? 0 }
      .sorted { $0.order > $1.order }.prefix(Self.holdersAskedAbout).map(\.holder)
    guard let best else { return .new(busy: inTheWay) }
    let identifier = best.attributes.identifier
    return inTheWay.isEmpty ? .existing(identifier) : .better(identifier, than: inTheWay)
  }

  // MARK: - Taking a session that is there

  private mutating func take(
    _ identifier: SessionIdentifier, _ message: SceneConnect, _ asker: Asker,
    _ fresh: SessionIdentifier, askingAboutHolders: Bool
  ) throws(BrokerError) {
    guard let session = stored[identifier], let peer = peers[asker.connection] else {
      throw notFound(identifier)
    }
    if let role = message.role, role != session.attributes.role {
      throw BrokerError(
        .wrongRole, "\(identifier) has the role \(session.attributes.role), not \(role)")
    }
    try checkRoom(on: asker.connection)
    if let scene = scenes[identifier] {
      if scene.isLeaving, !message.takeOver {
        throw BrokerError(
          .sessionInUse, "\(identifier) is being disconnected right now", retry: .now)
      }
      guard message.takeOver else {
        guard askingAboutHolders, scene.holder != asker.connection else {
          throw inUse(identifier, by: scene.holder)
        }
        return inquire(about: [scene.holder], for: .connect(message), asker, fresh)
      }
      cut(identifier, reason: .replaced)
    } else if let holder = reserved[identifier], holder != peer.process, !message.takeOver {
      guard askingAboutHolders else {
        throw BrokerError(
          .sessionInUse, "\(identifier) is kept for process \(holder.pid), which held it before",
          retry: .later)
      }
      return inquire(about: holder, for: .connect(message), asker, fresh)
    }
    give(
      identifier, to: asker.connection, asker: asker, isNew: false,
      reason: reason(toConnect: identifier), target: message.background ? .background : nil,
      options: message.options ?? .none, title: message.title)
  }

  private func inUse(
    _ identifier: SessionIdentifier, by holder: ConnectionIdentifier
  ) -> BrokerError {
    let client = peers[holder]?.client
    return BrokerError(
      .sessionInUse,
      "\(identifier) is held by \(client?.name ?? "a client") \(client?.pid ?? 0); "
        + "takeOver cuts it off")
  }

  func checkRoom(on connection: ConnectionIdentifier) throws(BrokerError) {
    guard peers[connection]?.held.count ?? 0 < limits.scenesPerConnection else {
      throw BrokerError(
        .tooMany, "one connection holds at most \(limits.scenesPerConnection) scenes")
    }
  }

  /// Why it would be connected if nothing in particular brought it.
  func reason(toConnect identifier: SessionIdentifier) -> ConnectReason {
    guard let tenure = stored[identifier]?.tenure, tenure.hold > 0 else { return .launch }
    return tenure.end?.reason.nextConnectReason ?? .recover
  }

  // MARK: - Becoming the scene

  /// Makes a connection the holder of a session and begins its walk up the line.
  mutating func give(
    _ identifier: SessionIdentifier, to connection: ConnectionIdentifier, asker: Asker?,
    isNew: Bool, reason: ConnectReason, target: ActivationState?, options: ConnectionOptions,
    title: String? = nil, bringing: Bringing? = nil
  ) {
    guard let session = stored[identifier], let peer = peers[connection] else { return }
    reserved[identifier] = nil
    if let title, title != session.attributes.title {
      var attributes = session.attributes
      attributes.title = title
      record(.session(attributes))
    }
    var tenure = session.tenure
    tenure.hold += 1
    hold(tenure, peer.process)
    let ceiling = session.attributes.role.ceiling
    var scene = LiveScene(
      holder: connection, hold: tenure.hold, state: .unattached,
      target: min(target ?? ceiling, ceiling), isNew: isNew, reason: reason, options: options)
    scene.bringing = bringing
    enter(scene, identifier, connection)
    if let asker {
      reply(
        asker,
        .connected(
          SceneConnect.Reply(
            session: identifier, isNew: isNew, reason: reason, hold: tenure.hold)),
        about: identifier)
    }
    walk(identifier)
  }

  private mutating func hold(_ tenure: Tenure, _ process: ClientProcess) {
    var tenure = tenure
    tenure.holder = process
    tenure.end = nil
    touch(&tenure)
    record(.held(tenure))
  }

  /// Counts as the newest use.
  func touch(_ tenure: inout Tenure) {
    tenure.order = stored.lastOrder + 1
    tenure.used = now.wall
  }

  private mutating func enter(
    _ scene: LiveScene, _ identifier: SessionIdentifier, _ connection: ConnectionIdentifier
  ) {
    scenes[identifier] = scene
    census.add(scene.state)
    peers[connection]?.held.append(identifier)
    lastHolders[identifier] = nil
    tell(.connected, identifier, reason: scene.reason.rawValue, state: scene.target)
    noteChange(of: identifier)
  }

  // MARK: - Resuming

  /// A client that lost the broker, not its own state, is the holder again, in the state it says. No callback for what did not change.
  private mutating func resume(
    _ message: SceneConnect, _ resume: Resume, _ asker: Asker
  ) throws(BrokerError) {
    guard let identifier = message.session, let session = stored[identifier] else {
      throw notFound(message.session ?? .none)
    }
    guard resume.state != .unattached else {
      throw BrokerError(.invalidParams, "resume.state: an unattached scene connects afresh")
    }
    guard let peer = peers[asker.connection], session.tenure.hold == resume.hold else {
      throw BrokerError(
        .sessionNotHeld, "somebody else has held \(identifier) since; connect afresh", retry: .now)
    }
    if let scene = scenes[identifier] {
      guard peers[scene.holder]?.process == peer.process else {
        throw inUse(identifier, by: scene.holder)
      }
      cut(identifier, reason: .replaced)
    }
    try checkRoom(on: asker.connection)
    if let activity = message.activity { _ = save(activity, for: identifier) }
    reserved[identifier] = nil
    var tenure = stored[identifier]?.tenure ?? session.tenure
    tenure.hold = resume.hold
    hold(tenure, peer.process)
    let ceiling = session.attributes.role.ceiling
    let state = min(resume.state, ceiling)
    let scene = LiveScene(
      holder: asker.connection, hold: resume.hold, state: state,
      target: state == .background ? .background : ceiling, isNew: false, reason: .resume,
      options: .none)
    enter(scene, identifier, asker.connection)
    reply(
      asker,
      .connected(SceneConnect.Reply(session: identifier, reason: .resume, hold: resume.hold)),
      about: identifier)
    walk(identifier)
    retryWaiting(for: identifier)
  }
}
