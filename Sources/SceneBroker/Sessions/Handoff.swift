import SceneModel

/// A session leaves for another host, or arrives from one. The broker knows hosts only by name.
extension Broker {
  // MARK: - The session leaves

  mutating func release(_ message: SessionRelease, _ requester: Requester) throws(BrokerError) {
    let identifier = message.session
    try checkMove(message.fence, "to", message.to)
    try limits.check(text: message.destination, "destination")
    try limits.check(text: message.remote, "remote")
    guard let session = store[identifier] else { throw absence(of: identifier) }
    try checkFence(message.fence, of: session)
    var attributes = session.attributes
    if let away = attributes.away {
      guard away.fence == message.fence, away.to == message.to else {
        throw absence(of: identifier)
      }
    } else {
      try checkUnused(identifier)
    }
    let isConfirmed = message.confirmed || attributes.away?.isConfirmed == true
    attributes.away = SessionAway(
      to: message.to, fence: message.fence, isConfirmed: isConfirmed,
      destination: message.destination ?? attributes.away?.destination,
      remote: message.remote ?? attributes.away?.remote)
    attributes.fence = nil
    if attributes != session.attributes {
      if let error = store.admission(of: .bounded) { throw error }
      forgetPreviousHolder(of: session)
      forgetCrashes(of: identifier)
      record(.session(attributes))
      if session.isPresent {
        trace(.released, identifier, by: requester) {
          ($0.generation, $0.detail) = (session.generation, "to \(message.to)")
        }
      }
      markChanged(identifier)
    }
    guard let released = store[identifier] else { return }
    reply(requester, SessionDetails(released, scene: nil), about: identifier)
  }

  private func checkUnused(_ identifier: SessionIdentifier) throws(BrokerError) {
    try checkNotHeld(identifier)
    if let holder = clients.reservations[identifier] {
      throw BrokerError.reserved(label(of: identifier), for: holder)
    }
    guard !launches.contains(identifier) else {
      throw BrokerError(
        .sessionInUse, "a program is starting for \(label(of: identifier))", retry: .later)
    }
  }

  /// A client that waits for the session must not become its scene again.
  private mutating func forgetPreviousHolder(of session: StoredSession) {
    var hold = session.hold
    clients.previousHolders[hold.session] = nil
    guard hold.previousHolder != nil else { return }
    hold.previousHolder = nil
    record(.held(hold))
  }

  // MARK: - The session arrives

  /// A crash between two of the records leaves an away session, and the same request again makes
  /// it present.
  mutating func adopt(_ message: SessionAdopt, _ requester: Requester) throws(BrokerError) {
    let identifier = message.sceneSession.persistentIdentifier
    try checkMove(message.fence, "from", message.from)
    // A session in the trash returns with the content of the other host.
    let trashed = store.state.trash[identifier]?.session
    let before = store[identifier] ?? trashed
    if let before {
      try checkFence(message.fence, of: before)
      guard !before.isPresent || trashed != nil else {
        guard before.fence == message.fence else {
          throw BrokerError(
            .requestDenied, "\(label(of: identifier)) is present at this host; release it first")
        }
        return reply(
          requester,
          SessionAdopt.Reply(session: identifier, name: before.attributes.name, adopted: false),
          about: identifier)
      }
    }
    try checkMayArrive(identifier)
    var (attributes, missing) = try attributes(of: message, before)
    let activity = message.sceneSession.stateRestorationActivity
    let number = try newGeneration(of: message, before)
    try checkRoom(for: attributes, activity: number == nil ? nil : activity, before)
    var hold = before?.hold ?? Hold(session: identifier)
    if number != nil {
      hold =
        before?.hold(afterSaving: activity, isByScene: false, isRestoring: false) ?? hold
    }
    (hold.end, hold.earlyEnds) = (DisconnectOutcome(reason: .clientRequest, cause: .handedOff), 0)

    record(.session(attributes))
    if let number {
      record(
        .activity(
          Generation(session: identifier, number: number, activity: activity, saved: now.wall)))
    }
    record(.held(store.used(hold, at: now.wall)))
    if !message.arriving {
      (attributes.away, attributes.fence) = (nil, message.fence)
      record(.session(attributes))
    }
    let generation = store[identifier]?.generation
    trace(.adopted, identifier, by: requester) {
      $0.generation = generation
      $0.detail =
        "from \(message.from)" + (message.arriving ? ", without its files" : "")
        + (missing.map { "; there is no configuration \($0)" } ?? "")
    }
    markChanged(identifier)
    reply(
      requester,
      SessionAdopt.Reply(session: identifier, name: attributes.name, adopted: true),
      about: identifier)
  }

  private func checkMayArrive(_ identifier: SessionIdentifier) throws(BrokerError) {
    guard !isShuttingDown else { throw BrokerError.shuttingDown }
    guard identifier != .none else {
      throw BrokerError(.invalidParams, "sceneSession.persistentIdentifier: must not be zero")
    }
    guard !store.isDiscarding(identifier), pendingSessions[identifier] == nil else {
      throw BrokerError(
        .sessionInUse, "\(label(of: identifier)) is being created or discarded right now",
        retry: .later)
    }
  }

  /// The attributes of the arriving session, which is still away, and the name of its configuration
  /// if the manifest has none of that name.
  private func attributes(
    of message: SessionAdopt, _ before: StoredSession?
  ) throws(BrokerError) -> (SessionAttributes, missing: String?) {
    let content = message.sceneSession
    try check(content, maker: message.maker)
    let label = content.name ?? content.persistentIdentifier.short
    if let role = before?.attributes.role, role != content.role {
      throw BrokerError.wrongRole(label, "has", role, content.role)
    }
    let isDescribed = before?.attributes.isConfiguredByDelegate == true
    let resolver = configurationResolver
    let name = content.configuration.name
    let configuration =
      isDescribed
      ? before?.attributes.configuration
      : try resolver.configuration(named: name, for: content.role)
    guard let configuration else { throw resolver.noConfiguration(for: content.role) }
    var attributes = SessionAttributes(
      identifier: content.persistentIdentifier, name: freeName(of: content), role: content.role,
      configuration: configuration, userInfo: content.userInfo,
      // The title in lists can be the command.
      title: content.title == content.program?.title ? nil : content.title,
      program: program(of: content, before), maker: message.maker ?? before?.attributes.maker ?? "",
      created: before?.attributes.created ?? now.wall)
    // The variables of a command stay at their host.
    if let program = content.program, program.environment == nil,
      program.arguments == before?.attributes.program?.arguments
    {
      attributes.program?.environment = before?.attributes.program?.environment
    }
    attributes.isConfiguredByDelegate = isDescribed
    (attributes.subtitle, attributes.placement) = (content.subtitle, content.placement)
    try attributes.activationConditions.apply(
      content.activationConditions.map { .value($0) } ?? .absent, limits)
    attributes.away = SessionAway(to: message.from, fence: message.fence)
    attributes.away?.isArriving = true
    return (attributes, isDescribed ? nil : resolver.missing(name, for: content.role))
  }

  private func check(_ content: SceneSessionRecord, maker: String?) throws(BrokerError) {
    try limits.check(name: content.name)
    try limits.check(text: content.title, "title")
    try limits.check(text: content.subtitle, "subtitle")
    try limits.check(text: maker, "maker")
    try limits.check(content.userInfo)
    if let activity = content.stateRestorationActivity { try limits.check(activity) }
    if let program = content.program { try limits.check(program) }
    if let placement = content.placement { try limits.check(placement: placement) }
  }

  /// The command of the arriving session. A session that moved without its command gets it again.
  /// A command that a scene of this host has run is not asked for again, and keeps its environment.
  private func program(
    of content: SceneSessionRecord, _ before: StoredSession?
  ) -> SessionProgram? {
    let known = before?.attributes.program
    guard let program = content.program else { return known }
    guard program.from != nil, let known, known.from == nil, known.startsAs(program),
      known.resume == program.resume
    else { return program }
    return known
  }

  /// Nil if another session has the name.
  private func freeName(of content: SceneSessionRecord) -> String? {
    guard let name = content.name, !pendingSessions.isTaken(name) else { return nil }
    let holder = store.listed(named: name)
    return holder == nil || holder == content.persistentIdentifier ? name : nil
  }

  /// The number of the arriving activity; nil if the session already has the activity. A local
  /// activity with other bytes and the same number or a higher one stays in the history.
  private func newGeneration(
    of message: SessionAdopt, _ before: StoredSession?
  ) throws(BrokerError) -> Int64? {
    let activity = message.sceneSession.stateRestorationActivity
    guard
      (activity == nil ? 0...Self.highestNumber : 1...Self.highestNumber)
        .contains(message.generation)
    else {
      throw BrokerError(.invalidParams, "generation: expected the number of the activity")
    }
    let local = before?.generation ?? 0
    if message.generation > local { return message.generation }
    return before?.activity == activity ? nil : local + 1
  }

  private mutating func checkRoom(
    for attributes: SessionAttributes, activity: Activity?, _ before: StoredSession?
  ) throws(BrokerError) {
    let saved = activity?.byteCount ?? 0
    guard let before else {
      try checkMayAdd(attributes.byteCount + saved, attributes.role)
      return try checkIsOnly(attributes.configuration, attributes.role)
    }
    if let error = store.admission(of: .growing) { throw error }
    let dropped = activity == nil ? 0 : before.byteCountDroppedBySaving
    try checkRoom(for: attributes.byteCount - before.attributes.byteCount + saved - dropped)
  }

  // MARK: - Moves

  /// Generations and fences stay far below the greatest number, because both increase.
  private static let highestNumber: Int64 = 1 << 53

  private func checkMove(
    _ fence: Int64, _ member: String, _ host: String
  ) throws(BrokerError) {
    guard (1...Self.highestNumber).contains(fence) else {
      throw BrokerError(.invalidParams, "fence: expected a number from 1 to \(Self.highestNumber)")
    }
    try check(host: host, member)
  }

  func check(host: String, _ member: String) throws(BrokerError) {
    if let problem = HostName.problem(with: host) {
      throw BrokerError(.invalidParams, "\(member): \(problem)")
    }
  }

  private func checkFence(_ fence: Int64, of session: StoredSession) throws(BrokerError) {
    guard fence < session.fence else { return }
    throw BrokerError(
      .staleFence,
      "fence \(fence) of \(label(of: session.attributes.identifier)) is older than its last move, "
        + "which had fence \(session.fence); read the session again")
  }
}
