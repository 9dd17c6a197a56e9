import SceneModel

/// `scene/connect`: chooses a session for the requester, and connects the scene of a session.
extension Broker {
  mutating func connect(_ message: SceneConnect, _ attempt: Attempt) throws(BrokerError) {
    let requester = attempt.requester
    try validate(message)
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    if let error = store.admission(of: .bounded) { throw error }
    if let resume = message.resume { return try self.resume(message, resume, requester) }
    if mustAwaitDelegate(requester, creating: false) {
      return try deferRequest(.connect(message), attempt, until: .delegate)
    }
    let choice = try choose(message, attempt)
    guard choice.toQuery.isEmpty else {
      return try queryLiveness(of: choice.toQuery, before: .connect(message), attempt)
    }
    guard let identifier = choice.session else {
      guard !mustAwaitDelegate(requester, creating: true) else {
        return try deferRequest(.connect(message), attempt, until: .delegate)
      }
      return try create(for: message, attempt)
    }
    try connect(to: identifier, message, attempt)
  }

  private func validate(_ message: SceneConnect) throws(BrokerError) {
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
    try limits.check(name: message.name)
    try limits.check(text: message.title, "title")
    if let program = message.program { try limits.check(program) }
    if let userInfo = message.userInfo { try limits.check(userInfo) }
    if let options = message.options { try limits.check(options) }
    if let activity = message.activity { try limits.check(activity) }
  }

  // MARK: - The choice of a session

  private struct Choice {
    /// Nil for a new session.
    var session: SessionIdentifier?
    /// Holders of sessions that would be a better choice if these processes were about to end.
    var toQuery: [ClientProcess] = []
  }

  private mutating func choose(
    _ message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) -> Choice {
    if let identifier = message.session {
      guard store.contains(identifier) else { throw absence(of: identifier) }
      return Choice(session: identifier)
    }
    if let name = message.name { return Choice(session: try availableSession(named: name)) }
    if message.new { return Choice() }
    // A classic application has one session for every program. A journal of an application with
    // scenes can have more.
    if manifest.isClassic, let newest = store.newestListed(where: { _ in true }) {
      return Choice(session: newest.attributes.identifier)
    }
    return try mostRecentlyUsed(message, attempt)
  }

  /// Nil if no session has this name, so that the broker can create one.
  func availableSession(named name: String) throws(BrokerError) -> SessionIdentifier? {
    if pendingSessions.hasUndecided(named: name) {
      throw BrokerError(
        .sessionInUse, "\(name.clipped(to: 100)) is being created right now", retry: .now)
    }
    if pendingSessions.configured(named: name) != nil {
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

  /// The most recently used unattached session that a client of the same name created, of the same
  /// role and configuration.
  private mutating func mostRecentlyUsed(
    _ message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) -> Choice {
    let connection = attempt.requester.connection
    guard let process = clients[connection]?.process,
      let client = clients[connection]?.client
    else { return Choice() }
    let role = message.role ?? manifest.defaultRole
    let resolver = configurationResolver
    let wanted = try message.configuration.map { name throws(BrokerError) in
      try resolver.configuration(named: name, for: role)?.name ?? name
    }
    let candidates = sessions(madeBy: client.name, role, wanted)
    return choice(among: candidates, connection, process, attempt.queried)
  }

  private typealias Candidate = (order: Int64, session: SessionIdentifier, isHeld: Bool)

  /// The sessions that a client of this name created, the most recently used first.
  private func sessions(
    madeBy maker: String, _ role: Role, _ configuration: String?
  ) -> [Candidate] {
    store.sessions.compactMap { session -> Candidate? in
      let attributes = session.attributes
      guard session.isPresent, attributes.role == role, attributes.maker == maker,
        configuration == nil
          || manifest.currentConfiguration(of: attributes).configuration.name == configuration
      else { return nil }
      return (session.hold.order, attributes.identifier, session.hold.holder != nil)
    }
    .sorted { ($0.order, $0.session) > ($1.order, $1.session) }
  }

  /// The broker queries the holders of the held sessions that are newer than the newest free one,
  /// up to the limit of queries. A session that is reserved for the requester's process is free.
  private func choice(
    among candidates: [Candidate], _ requester: ConnectionIdentifier, _ process: ClientProcess,
    _ queried: [ClientProcess]
  ) -> Choice {
    var choice = Choice(session: candidates.first { !$0.isHeld }?.session)
    for (_, identifier, _) in candidates.prefix(while: \.isHeld) {
      let isFull = queried.count + choice.toQuery.count >= limits.holdersAskedAbout
      // A session that is reserved for the requester may follow.
      guard !isFull || !clients.reservations.isEmpty else { break }
      if let holder = otherHolder(of: identifier, than: requester, process) {
        guard !isFull, !choice.toQuery.contains(holder), !queried.contains(holder)
        else { continue }
        choice.toQuery.append(holder)
      } else if scenes[identifier] == nil {
        choice.session = identifier
        break
      }
    }
    return choice
  }

  /// The process that holds a session or has a reservation for it, if that is not the requester's.
  private func otherHolder(
    of identifier: SessionIdentifier, than requester: ConnectionIdentifier, _ process: ClientProcess
  ) -> ClientProcess? {
    if let holder = scenes[identifier]?.holder {
      return holder == requester ? nil : clients[holder]?.process
    }
    return clients.reservations[identifier].flatMap { $0 == process ? nil : $0 }
  }

  // MARK: - An existing session

  private mutating func connect(
    to identifier: SessionIdentifier, _ message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) {
    let requester = attempt.requester
    guard let session = store[identifier], session.isPresent,
      let process = clients[requester.connection]?.process
    else { throw absence(of: identifier) }
    if let role = message.role, role != session.attributes.role {
      throw BrokerError.wrongRole(label(of: identifier), "has", session.attributes.role, role)
    }
    if let holder = otherHolder(of: identifier, than: requester.connection, process),
      !message.takeOver, !attempt.queried.contains(holder), scenes[identifier]?.isLeaving != true
    {
      return try queryLiveness(of: [holder], before: .connect(message), attempt)
    }
    if !message.takeOver {
      try checkNotHeld(identifier)
      try checkReservation(of: identifier, for: process)
    }
    try clients.checkRoom(on: requester.connection, replacing: identifier)
    // The process of a restart may connect without its token.
    if !launches.contains(identifier) { forgetCrashes(of: identifier) }
    replace(identifier, by: requester)
    connect(
      identifier, to: requester.connection,
      ConnectOptions(
        reason: reason(toConnect: identifier), target: message.background ? .background : nil,
        options: message.options ?? .none,
        missingConfiguration: message.isFound
          ? configurationResolver.missing(message.configuration, for: session.attributes.role)
          : nil,
        title: message.title, program: message.program, requester: requester))
    supersedeLaunch(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  func checkNotHeld(_ identifier: SessionIdentifier) throws(BrokerError) {
    guard let scene = scenes[identifier] else { return }
    throw scene.isLeaving
      ? BrokerError(
        .sessionInUse, "\(label(of: identifier)) is being disconnected right now", retry: .now)
      : BrokerError.held(label(of: identifier), by: clients[scene.holder]?.shown)
  }

  func checkReservation(
    of identifier: SessionIdentifier, for process: ClientProcess
  ) throws(BrokerError) {
    guard let holder = clients.reservations[identifier], holder != process else { return }
    throw BrokerError.reserved(label(of: identifier), for: holder)
  }

  /// The reason of a scene that its client requests.
  private func reason(toConnect identifier: SessionIdentifier) -> ConnectReason {
    // The scene of an adopted session ended at another host.
    guard let hold = store[identifier]?.hold, hold.number > 0 || hold.end != nil else {
      return .launch
    }
    return hold.end?.reason.nextConnectReason ?? .recover
  }

  // MARK: - The scene

  /// Makes a client the holder of a session. The scene begins to move to its target.
  mutating func connect(
    _ identifier: SessionIdentifier, to connection: ConnectionIdentifier,
    _ connect: ConnectOptions
  ) {
    guard let session = store[identifier], let process = clients[connection]?.process else {
      return
    }
    clients.reservations[identifier] = nil
    pending.suspend(identifier)
    let remark = applyChanges(
      title: connect.title, program: connect.program, to: session.attributes)
    var hold = session.hold
    hold.number += 1
    if session.isInCrashLoop, manifest.restores(session) { hold.withheld = session.generation }
    hold.lastEnd = session.endForNextScene
    record(.held(store.used(hold.begun(by: process), at: now.wall)))
    let ceiling = session.attributes.role.ceiling
    let scene = SceneStateMachine(
      identifier, holder: connection, hold: hold.number,
      target: min(connect.target ?? ceiling, ceiling),
      isNew: connect.isNew, reason: connect.reason, options: connect.options,
      missingConfiguration: connect.missingConfiguration,
      restoredGeneration: generationToRestore(identifier), ceiling: ceiling)
    if var assignment = connect.assignment {
      if let activator = connect.activator { assignment.isByControl = isControl(activator) }
      pending.assign(identifier, assignment)
    }
    didConnect(scene, identifier, by: connect.activator, detail: remark)
    if let requester = connect.requester {
      reply(
        requester,
        SceneConnect.Reply(
          session: identifier, isNew: connect.isNew, reason: connect.reason,
          hold: hold.number),
        about: identifier)
    }
    advanceLifecycle(of: identifier)
  }

  /// The generation of the activity that the client gets; nil if the client gets none.
  private func generationToRestore(_ identifier: SessionIdentifier) -> Int64? {
    guard let session = store[identifier], session.activity != nil, session.withheld == nil,
      manifest.restores(session)
    else { return nil }
    return session.generation
  }

  /// Stores the title and the program of a connect request. A title stays with its command. If the
  /// disk has no room for them, the client connects nevertheless. Returns the remark for the trace.
  mutating func applyChanges(
    title: String?, program: SessionProgram?, to before: SessionAttributes
  ) -> String? {
    guard title != nil || program != nil else { return nil }
    var attributes = before
    attributes.title = title ?? before.title
    if var program {
      if let old = before.program, !program.connects, old.arguments != program.arguments {
        attributes.title = title
      }
      // The same command continues as before. No user of this host has seen the resume command of
      // another host.
      if program.resume == nil, let known = before.program, known.from == nil,
        known.startsAs(program)
      {
        program.resume = known.resume
      }
      program.from = nil
      attributes.program = program
    }
    guard attributes != before else { return nil }
    do throws(BrokerError) {
      try checkRoom(for: attributes, after: before)
      record(.session(attributes))
      return nil
    } catch {
      let changed = attributes.title != before.title ? "title" : "program"
      return "the new \(changed) is not stored: \(error.message)"
    }
  }

  mutating func didConnect(
    _ scene: SceneStateMachine, _ identifier: SessionIdentifier, by requester: Requester? = nil,
    detail: String?
  ) {
    scenes.insert(scene, at: now.monotonic)
    clients.connected(identifier, to: scene.holder)
    let session = store[identifier]
    notifyDelegate(
      .sceneConnected(
        SceneConnected(session: identifier, isNew: scene.isNew, reason: scene.reason)),
      about: identifier)
    trace(.connected, identifier, by: requester) {
      $0.reason = scene.reason.rawValue
      $0.state = scene.target
      $0.generation = session?.generation
      $0.withheld = session?.withheld?.reason
      $0.show(scene.options)
      $0.detail = detail
    }
    markChanged(identifier)
    enterForeground(identifier)
    watchSilence(of: scene)
  }
}

extension SceneConnect {
  /// Whether the broker chooses the session. Then the requested configuration counts.
  fileprivate var isFound: Bool { session == nil && name == nil }
}

/// The values with which a client becomes the scene of a session.
struct ConnectOptions {
  var isNew = false
  var reason: ConnectReason
  /// The first target of the scene; nil for the highest state of its role.
  var target: ActivationState?
  var options: ConnectionOptions
  /// The requested configuration, if the manifest has none of that name.
  var missingConfiguration: String?
  var title: String?
  var program: SessionProgram?
  var assignment: HostAssignment?
  /// The requester that becomes the scene. It gets the hold in its reply.
  var requester: Requester?
  /// The requester of a scene in another client.
  var activator: Requester?
}

extension ConnectOptions {
  /// The scene of a session whose host did not request it.
  init(_ assignment: HostAssignment, target: ActivationState, by requester: Requester? = nil) {
    self.init(
      isNew: assignment.isNew, reason: assignment.activation.reason, target: target,
      options: assignment.activation.options,
      missingConfiguration: assignment.missingConfiguration, assignment: assignment,
      activator: requester)
  }
}
