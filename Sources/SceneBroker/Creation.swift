import SceneModel

/// A session that is being made. Its name is taken from the beginning; it ends as a session or
/// leaves nothing behind.
struct Creation: Equatable {
  let identifier: SessionIdentifier
  let name: String?
  let role: Role
  /// The name of the configuration that was asked for.
  let wantedConfiguration: String?
  let userInfo: CarriedObject
  let title: String?
  let purpose: Purpose
  let asker: Asker

  enum Purpose: Equatable {
    /// The asker becomes its scene.
    case connect(ActivationState?, ConnectionOptions)
    /// The application wants it somewhere.
    case bring(Occasion)
  }

  /// What its scene will be told it is connected for.
  var options: ConnectionOptions {
    switch purpose {
    case .connect(_, let options): options
    case .bring(let occasion): occasion.options
    }
  }
}

/// A session that is decided on, and comes to be with the process that is started for it.
struct DecidedCreation: Equatable {
  let creation: Creation
  let decision: Decision

  /// Those of the session, but for who makes it and when.
  var attributes: SessionAttributes {
    var attributes = SessionAttributes(
      identifier: creation.identifier, name: creation.name, role: creation.role,
      configuration: decision.configuration, userInfo: decision.userInfo, title: creation.title)
    attributes.isConfiguredByDelegate = decision.isDescribed
    return attributes
  }
}

/// What a session is made from.
struct Decision: Equatable {
  var configuration: SceneConfiguration
  /// Whether the application delegate described it, so that no manifest has it.
  var isDescribed = false
  /// The configuration that was wanted, if there is none of that name.
  var missing: String?
  /// The kind that the application delegate named, if this version does not know it.
  var unknownKind: String?
  var userInfo: CarriedObject
}

extension Broker {
  mutating func beginCreation(
    of message: SceneConnect, _ asker: Asker, fresh: SessionIdentifier
  ) throws(BrokerError) {
    try begin(
      Creation(
        identifier: fresh, name: message.name, role: message.role ?? .windowApplication,
        wantedConfiguration: message.configuration, userInfo: message.userInfo ?? .empty,
        title: message.title,
        purpose: .connect(message.background ? .background : nil, message.options ?? .none),
        asker: asker))
  }

  /// Makes a session, or asks the application delegate first what to make it from.
  mutating func begin(_ creation: Creation) throws(BrokerError) {
    try checkNoneIsPending(besides: creation.role)
    guard asksDelegate(about: creation) else {
      return try make(creation, from: try decision(for: creation))
    }
    // What stands against it in any case need not be asked about.
    try checkMayMake(creation)
    _ = try configuration(meantBy: creation.wantedConfiguration, for: creation.role)
    creations.append(creation)
  }

  /// Everything that may stand against it is looked at now, however long it has waited.
  func checkMayMake(
    _ creation: Creation, userInfo: CarriedObject? = nil
  ) throws(BrokerError) {
    if case .connect = creation.purpose { try checkRoom(on: creation.asker.connection) }
    if let error = storageRefusal(of: .growing) { throw error }
    let count = stored.sessions.count + creations.count + decidedCreations.count
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
    let there =
      stored.sessions.values.first { $0.attributes.role == role }
      ?? departing.sessions.values.first { $0.attributes.role == role }
    guard there != nil || decidedCreations.contains(where: { $0.creation.role == role }) else {
      return
    }
    throw noSecond(there.map { ": there is \(label(of: $0.attributes.identifier))" } ?? "")
  }

  /// What began before is decided on before. It is not looked at again then: whatever else is pending
  /// has come later.
  private func checkNoneIsPending(besides role: Role) throws(BrokerError) {
    guard manifest.supportsMultipleScenes || !creations.contains(where: { $0.role == role }) else {
      throw noSecond("")
    }
  }

  private func noSecond(_ whose: String) -> BrokerError {
    BrokerError(
      .multipleScenesNotSupported, "the manifest does not allow a second session\(whose)")
  }

  /// Makes it a session, and gives it to whoever it is for.
  mutating func make(_ creation: Creation, from decision: Decision) throws(BrokerError) {
    try checkMayMake(creation, userInfo: decision.userInfo)
    try checkCount(of: decision.configuration, creation.role)
    switch creation.purpose {
    case .connect(let target, let options):
      record(
        DecidedCreation(creation: creation, decision: decision),
        maker: creation.asker.connection, by: creation.asker)
      give(
        creation.identifier, to: creation.asker.connection,
        Entrance(
          isNew: true, reason: .launch, target: target, options: options,
          missingConfiguration: decision.missing, requester: creation.asker))
    case .bring(let occasion): try bring(creation, decision, for: occasion)
    }
  }

  /// Whoever can have its scene is given it; else a process is started that it comes to be with.
  private mutating func bring(
    _ creation: Creation, _ decision: Decision, for occasion: Occasion
  ) throws(BrokerError) {
    let (identifier, configuration) = (creation.identifier, decision.configuration)
    let decided = DecidedCreation(creation: creation, decision: decision)
    var bringing = Bringing(occasion, creation.role, isNew: true)
    bringing.missingConfiguration = decision.missing
    if let host = nextHost(for: configuration.delegateClass, last: nil, tried: []) {
      record(decided, maker: host, by: creation.asker)
      return bring(identifier, to: host, bringing, creation.asker)
    }
    guard manifest.launch(configuration.name, for: creation.role) != nil else {
      throw noHost(for: configuration)
    }
    launch(identifier, bringing, making: decided, creation.asker)
  }

  /// What a session will be called that is not there yet.
  func nameToBe(of identifier: SessionIdentifier) -> String? {
    (creation(identifier) ?? decidedCreation(identifier)?.creation)?.name
  }

  /// What a session is made from that comes to be with the process that is started for it.
  func decidedCreation(_ identifier: SessionIdentifier) -> DecidedCreation? {
    launches[identifier]?.decided
  }

  var decidedCreations: [DecidedCreation] { launches.values.compactMap(\.decided) }

  /// The program it is made by, or for, finds it again.
  mutating func record(
    _ decided: DecidedCreation, maker: ConnectionIdentifier, by asker: Asker?
  ) {
    var attributes = decided.attributes
    attributes.maker = peers[maker]?.client?.name ?? ""
    attributes.created = now.wall
    record(.session(attributes))
    tell(.created, attributes.identifier, by: asker, detail: remark(on: decided))
  }

  /// What differs from what was asked for: the kind, or the configuration.
  private func remark(on decided: DecidedCreation) -> String? {
    if let kind = decided.decision.unknownKind {
      return "the application delegate named the kind \(kind.clipped(to: 40)), which is none of "
        + ConfigurationKind.allCases.map(\.rawValue).joined(separator: ", ")
        + "; the broker treats it as group"
    }
    guard let missing = decided.decision.missing else { return nil }
    let isAsked =
      missing == self.missing(decided.creation.wantedConfiguration, for: decided.creation.role)
    let names = manifest.configurations(for: decided.creation.role).map(\.name)
    return (isAsked ? "" : "the application delegate chose \(missing); ")
      + "there is no configuration \(missing), so it is made from "
      + "\(decided.decision.configuration.name); there are \(names.joined(separator: ", "))"
  }

  // MARK: - What it is made from

  /// What the manifest says.
  func decision(for creation: Creation) throws(BrokerError) -> Decision {
    try decision(for: creation, naming: creation.wantedConfiguration)
  }

  /// The configuration of this name, else the role's default.
  func decision(
    for creation: Creation, naming name: String?
  ) throws(BrokerError) -> Decision {
    let role = creation.role
    guard let configuration = try configuration(meantBy: name, for: role) else {
      throw BrokerError(
        .noConfiguration,
        "the manifest has no configuration for the role \(role.rawValue.clipped(to: 100))"
          + manifest.rolesInWords)
    }
    return Decision(
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
        + "ask for that one, as with --role \(name)")
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
        stored.sessions.values.contains(where: isOther)
        || departing.sessions.values.contains(where: isOther)
        || decidedCreations.contains {
          $0.creation.role == role && $0.decision.configuration.name == configuration.name
        }
      guard !isThere else {
        throw BrokerError(
          .multipleScenesNotSupported,
          "\(configuration.name) is of the kind \(configuration.kind.rawValue): "
            + "it has one session, and that exists")
      }
    }
  }
}
