import SceneModel

/// A session that is being made. Its name is taken from the beginning; it ends as a session or
/// leaves nothing behind.
struct Creation: Equatable {
  let identifier: SessionIdentifier
  let name: String?
  let role: Role
  let configuration: SceneConfiguration
  let userInfo: CarriedObject
  let title: String?
  /// The program the session is made by, or for: it finds it again.
  let maker: String
  /// The configuration that was asked for, if there is none of that name.
  let missingConfiguration: String?
  let purpose: Purpose

  enum Purpose: Equatable {
    /// The asker becomes its scene.
    case connect(Asker, ActivationState?, ConnectionOptions)
    /// The application wants it somewhere.
    case bring(Asker, ConnectionIdentifier, Bringing)
  }
}

extension Broker {
  mutating func beginCreation(
    of message: SceneConnect, _ asker: Asker, fresh: SessionIdentifier
  ) throws(BrokerError) {
    try checkRoom(on: asker.connection)
    let bytes =
      (message.userInfo?.byteCount ?? 0) + (message.name?.utf8.count ?? 0)
      + (message.title?.utf8.count ?? 0)
    let configuration = try configuration(
      message.configuration, role: message.role, adding: bytes)
    begin(
      Creation(
        identifier: fresh, name: message.name, role: configuration.role,
        configuration: configuration.configuration, userInfo: message.userInfo ?? .empty,
        title: message.title, maker: peers[asker.connection]?.client?.name ?? "",
        missingConfiguration: missing(message.configuration, for: configuration.role),
        purpose: .connect(
          asker, message.background ? .background : nil, message.options ?? .none)))
  }

  /// Everything that may stand against a new session has been looked at: the manifest decides at
  /// once.
  mutating func begin(_ creation: Creation) {
    creations[creation.identifier] = creation
    finish(creation)
  }

  private mutating func finish(_ creation: Creation) {
    creations[creation.identifier] = nil
    record(
      .session(
        SessionAttributes(
          identifier: creation.identifier, name: creation.name, role: creation.role,
          configuration: creation.configuration, userInfo: creation.userInfo,
          title: creation.title, maker: creation.maker, created: now.wall)))
    switch creation.purpose {
    case .connect(let asker, let target, let options):
      tell(.created, creation.identifier, by: asker)
      give(
        creation.identifier, to: asker.connection,
        Entrance(
          isNew: true, reason: .launch, target: target, options: options,
          missingConfiguration: creation.missingConfiguration, requester: asker))
    case .bring(let asker, let host, var bringing):
      bringing.missingConfiguration = creation.missingConfiguration
      tell(.created, creation.identifier, by: asker)
      bring(creation.identifier, to: host, bringing, asker)
    }
  }

  // MARK: - What may be made

  /// The configuration of a new session, if there may be one.
  func configuration(
    _ name: String?, role asked: Role?, adding bytes: Int
  ) throws(BrokerError) -> (role: Role, configuration: SceneConfiguration) {
    if let error = storageRefusal(of: .growing) { throw error }
    let count = stored.sessions.count + creations.count
    guard count < limits.sessions else {
      throw BrokerError(
        .tooMany,
        "there are \(count) sessions, and at most \(limits.sessions) are allowed; discard some",
        speaksOfSessions: true)
    }
    try checkRoom(for: SessionAttributes.baseByteCount + bytes)
    let role = asked ?? .windowApplication
    guard let configuration = try configuration(meantBy: name, for: role) else {
      throw BrokerError(
        .noConfiguration,
        "the manifest has no configuration for the role \(role.rawValue.clipped(to: 100))"
          + manifest.rolesInWords)
    }
    try checkCount(of: configuration, role)
    return (role, configuration)
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
      throw BrokerError(
        .wrongRole,
        "the configuration \(name.clipped(to: 100)) is for the role \(other), "
          + "not \(role.rawValue.clipped(to: 100))")
    }
    return name.flatMap { manifest.configuration(named: $0, for: role) } ?? standard
  }

  /// A configuration's name if there is none of that name, for who asked for it to be told.
  func missing(_ name: String?, for role: Role) -> String? {
    guard let name, manifest.configuration(named: name, for: role) == nil else { return nil }
    return name.clipped(to: 100)
  }

  private func checkCount(
    of configuration: SceneConfiguration, _ role: Role
  ) throws(BrokerError) {
    let isFirst = stored.sessions.isEmpty && creations.isEmpty && departing.count == 0
    guard manifest.supportsMultipleScenes || isFirst else {
      throw BrokerError(
        .multipleScenesNotSupported, "the manifest does not allow a second session")
    }
    switch configuration.kind {
    case .group: return
    case .window, .settings:
      func isOther(_ session: StoredSession) -> Bool {
        session.attributes.role == role
          && session.attributes.configuration.name == configuration.name
      }
      let isThere =
        stored.sessions.values.contains(where: isOther)
        || departing.sessions.values.contains(where: isOther)
      guard !isThere else {
        throw BrokerError(
          .multipleScenesNotSupported,
          "\(configuration.name) is a \(configuration.kind.rawValue): "
            + "it has one session, and that exists")
      }
    }
  }
}
