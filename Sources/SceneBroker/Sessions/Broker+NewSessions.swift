import SceneModel

/// New sessions: what may prevent them, and what they are made from.
extension Broker {
  mutating func beginCreation(
    of message: SceneConnect, _ attempt: Attempt
  ) throws(BrokerError) {
    try begin(
      PendingSession(
        identifier: attempt.identifier, name: message.name,
        role: message.role ?? .windowApplication, wantedConfiguration: message.configuration,
        userInfo: message.userInfo ?? .empty,
        title: message.title,
        purpose: .connect(message.background ? .background : nil, message.options ?? .none),
        requester: attempt.requester))
  }

  /// Makes a session, or asks the application delegate first what to make it from.
  mutating func begin(_ creation: PendingSession) throws(BrokerError) {
    try checkNoPendingInstance(of: creation.role)
    guard asksDelegate(about: creation) else {
      return try make(creation, from: try decision(for: creation))
    }
    // What stands against it in any case need not be asked about.
    try checkMayMake(creation)
    _ = try configuration(meantBy: creation.wantedConfiguration, for: creation.role)
    pendingSessions.add(creation)
  }

  /// Everything that may stand against it is looked at now, however long it has waited.
  func checkMayMake(
    _ creation: PendingSession, userInfo: OpaqueObject? = nil
  ) throws(BrokerError) {
    if case .connect = creation.purpose { try clients.checkRoom(on: creation.requester.connection) }
    if let error = store.admission(of: .growing) { throw error }
    let count = store.sessions.count + pendingSessions.count
    guard count < limits.sessions else {
      throw BrokerError(
        .tooMany,
        "there are \(count) sessions, and at most \(limits.sessions) are allowed; discard some",
        speaksOfSessions: true)
    }
    let texts = [creation.name, creation.title].compactMap { $0?.utf8.count }.reduce(0, +)
    let carried = (userInfo ?? creation.userInfo).byteCount
    try checkRoom(for: SessionAttributes.baseByteCount + carried + texts)
    try checkMayBeSecond(creation.role)
  }

  /// Where there are no multiple scenes, a role has one session: what an external display shows is not
  /// a second window.
  private func checkMayBeSecond(_ role: Role) throws(BrokerError) {
    guard !manifest.supportsMultipleScenes else { return }
    let there = store.firstListed { $0.attributes.role == role }
    guard there != nil || pendingSessions.configured.contains(where: { $0.creation.role == role })
    else {
      return
    }
    throw noSecond(there.map { ": there is \(label(of: $0.attributes.identifier))" } ?? "")
  }

  /// What began before is decided on before. It is not looked at again then: whatever else is pending
  /// has come later.
  private func checkNoPendingInstance(of role: Role) throws(BrokerError) {
    guard manifest.supportsMultipleScenes || !pendingSessions.hasUndecided(role) else {
      throw noSecond("")
    }
  }

  private func noSecond(_ whose: String) -> BrokerError {
    BrokerError(
      .multipleScenesNotSupported, "the manifest does not allow a second session\(whose)")
  }

  /// Makes it a session and gives it a scene.
  mutating func make(_ creation: PendingSession, from decision: ResolvedConfiguration)
    throws(BrokerError)
  {
    try checkMayMake(creation, userInfo: decision.userInfo)
    try checkCount(of: decision.configuration, creation.role)
    switch creation.purpose {
    case .connect(let target, let options):
      record(
        ConfiguredSession(creation: creation, decision: decision),
        maker: creation.requester.connection, by: creation.requester)
      give(
        creation.identifier, to: creation.requester.connection,
        Entrance(
          isNew: true, reason: .launch, target: target, options: options,
          missingConfiguration: decision.missing, requester: creation.requester))
    case .bring(let occasion): try bring(creation, decision, for: occasion)
    }
  }

  /// Gives the scene to a host. Without one, starts a process that the session begins with.
  private mutating func bring(
    _ creation: PendingSession, _ decision: ResolvedConfiguration, for occasion: Occasion
  ) throws(BrokerError) {
    let (identifier, configuration) = (creation.identifier, decision.configuration)
    let decided = ConfiguredSession(creation: creation, decision: decision)
    var assignment = HostAssignment(occasion, creation.role, isNew: true)
    assignment.missingConfiguration = decision.missing
    if let host = clients.selectHost(
      for: configuration.delegateClass, previous: nil, excluding: [])
    {
      record(decided, maker: host, by: creation.requester)
      return bring(identifier, to: host, assignment, creation.requester)
    }
    guard manifest.launch(configuration.name, for: creation.role) != nil else {
      throw noHost(for: configuration)
    }
    launch(identifier, assignment, making: decided, creation.requester)
  }

  /// What a session will be called that is not there yet.
  func nameToBe(of identifier: SessionIdentifier) -> String? {
    pendingSessions[identifier]?.name
  }

  /// The program it is made by, or for, finds it again.
  mutating func record(
    _ decided: ConfiguredSession, maker: ConnectionIdentifier, by requester: Requester?
  ) {
    var attributes = decided.attributes
    attributes.maker = clients.client(of: maker)?.name ?? ""
    attributes.created = now.wall
    record(.session(attributes))
    tell(.created, attributes.identifier, by: requester, detail: remark(on: decided))
  }

  /// What differs from what was asked for: the kind, or the configuration.
  private func remark(on decided: ConfiguredSession) -> String? {
    if let kind = decided.decision.unknownKind {
      return "the application delegate chose the unknown kind \"\(kind.clipped(to: 40))\"; "
        + "the broker uses group; the kinds are "
        + ConfigurationKind.allCases.map(\.rawValue).joined(separator: ", ")
    }
    guard let missing = decided.decision.missing else { return nil }
    let isAsked =
      missing == self.missing(decided.creation.wantedConfiguration, for: decided.creation.role)
    let names = manifest.configurations(for: decided.creation.role).map(\.name)
    return (isAsked ? "" : "the application delegate chose \(missing); ")
      + "there is no configuration \(missing); the broker uses "
      + "\(decided.decision.configuration.name); the configurations are "
      + names.joined(separator: ", ")
  }

  // MARK: - What it is made from

  /// What the manifest says.
  func decision(for creation: PendingSession) throws(BrokerError) -> ResolvedConfiguration {
    try decision(for: creation, naming: creation.wantedConfiguration)
  }

  /// The configuration of this name, else the role's default.
  func decision(
    for creation: PendingSession, naming name: String?
  ) throws(BrokerError) -> ResolvedConfiguration {
    let role = creation.role
    guard let configuration = try configuration(meantBy: name, for: role) else {
      throw BrokerError(
        .noConfiguration,
        "the manifest has no configuration for the role \(role.rawValue.clipped(to: 100))"
          + manifest.rolesInWords)
    }
    return ResolvedConfiguration(
      configuration: configuration, missing: missing(name, for: role),
      userInfo: creation.userInfo)
  }

  /// The configuration that a name stands for: the role's default if there is none of that name,
  /// nil if the role has none at all.
  func configuration(
    meantBy name: String?, for role: Role
  ) throws(BrokerError) -> SceneConfiguration? {
    guard let standard = manifest.configurations(for: role).first else { return nil }
    if let name, manifest.configuration(named: name, for: role) == nil,
      let other = manifest.role(ofConfigurationNamed: name)
    {
      throw wrongRole("the configuration \(name.clipped(to: 100))", "is for", other, role)
    }
    return name.flatMap { manifest.configuration(named: $0, for: role) } ?? standard
  }

  /// What something has or is for, and what was wanted of it.
  func wrongRole(_ what: String, _ verb: String, _ role: Role, _ wanted: Role) -> BrokerError {
    let name = role.rawValue.clipped(to: 100)
    return BrokerError(
      .wrongRole,
      "\(what) \(verb) the role \(name), not \(wanted.rawValue.clipped(to: 100)); "
        + "use that role, for example with --role \(name)")
  }

  /// A configuration's name if there is none of that name, for who asked for it to be told.
  func missing(_ name: String?, for role: Role) -> String? {
    guard let name, manifest.configuration(named: name, for: role) == nil else { return nil }
    return name.clipped(to: 100)
  }

  /// A window and settings have one session.
  private func checkCount(
    of configuration: SceneConfiguration, _ role: Role
  ) throws(BrokerError) {
    switch configuration.kind {
    case .group: return
    case .window, .settings:
      func isOther(_ session: StoredSession) -> Bool {
        session.attributes.role == role
          && manifest.currentConfiguration(of: session.attributes).configuration.name
            == configuration.name
      }
      let isThere =
        store.firstListed(where: isOther) != nil
        || pendingSessions.configured.contains {
          $0.creation.role == role && $0.decision.configuration.name == configuration.name
        }
      guard !isThere else {
        throw BrokerError(
          .multipleScenesNotSupported,
          "\(configuration.name) has the kind \(configuration.kind.rawValue) and allows one "
            + "session, which already exists")
      }
    }
  }
}
