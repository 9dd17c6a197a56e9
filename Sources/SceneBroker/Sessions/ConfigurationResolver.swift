import SceneModel

/// Decides on the configuration of a new session: by the manifest, or by the answer of the
/// application delegate, which wins over the manifest.
struct ConfigurationResolver {
  let manifest: Manifest
  let limits: Limits

  // MARK: - The manifest

  /// By the manifest alone.
  func resolve(_ session: PendingSession) throws(BrokerError) -> ResolvedConfiguration {
    try resolve(session, naming: session.wantedConfiguration)
  }

  /// By the configuration of this name, else the default of the role.
  private func resolve(
    _ session: PendingSession, naming name: String?
  ) throws(BrokerError) -> ResolvedConfiguration {
    let role = session.role
    guard let configuration = try configuration(named: name, for: role) else {
      throw noConfiguration(for: role)
    }
    return ResolvedConfiguration(
      configuration: configuration, missing: missing(name, for: role), userInfo: session.userInfo)
  }

  func noConfiguration(for role: Role) -> BrokerError {
    BrokerError(
      .noConfiguration,
      "the manifest has no configuration for the role \(role.rawValue.clipped(to: 100))"
        + manifest.rolesInWords)
  }

  /// The configuration of this name, else the default of the role. Nil if the role has none.
  func configuration(
    named name: String?, for role: Role
  ) throws(BrokerError) -> SceneConfiguration? {
    guard let standard = manifest.configurations(for: role).first else { return nil }
    if let name, manifest.configuration(named: name, for: role) == nil,
      let other = manifest.role(ofConfigurationNamed: name)
    {
      throw BrokerError.wrongRole(
        "the configuration \(name.clipped(to: 100))", "is for", other, role)
    }
    return name.flatMap { manifest.configuration(named: $0, for: role) } ?? standard
  }

  /// The requested name, if the role has no configuration of that name.
  func missing(_ name: String?, for role: Role) -> String? {
    guard let name, manifest.configuration(named: name, for: role) == nil else { return nil }
    return name.clipped(to: 100)
  }

  // MARK: - The delegate

  /// The question for the delegate: the session as it would be without an answer.
  func question(about session: PendingSession) -> ConfigurationForConnecting {
    let resolved = try? resolve(session)
    let wanted = session.wantedConfiguration?.clipped(to: SceneConfiguration.textByteLimit)
    let attributes = SessionAttributes(
      identifier: session.identifier, name: session.name, role: session.role,
      configuration: resolved?.configuration ?? SceneConfiguration(name: wanted ?? ""),
      userInfo: session.userInfo, title: session.title)
    return ConfigurationForConnecting(
      sceneSession: SceneSessionRecord(StoredSession(attributes: attributes)),
      options: session.options)
  }

  /// By the delegate's answer, if the answer has no `problem`.
  func resolve(
    _ session: PendingSession, _ answer: ConfigurationForConnecting.Answer
  ) throws(BrokerError) -> ResolvedConfiguration {
    do throws(BrokerError) {
      var resolved =
        switch answer.configuration {
        case nil: try resolve(session)
        case .named(let name): try resolve(session, naming: name)
        case .described(let description): try resolve(session, description)
        }
      resolved.userInfo = answer.userInfo ?? resolved.userInfo
      return resolved
    } catch {
      guard error.reason == .wrongRole else { throw error }
      throw BrokerError(.wrongRole, "the application delegate's answer: \(error.message)")
    }
  }

  private func resolve(
    _ session: PendingSession, _ description: ConfigurationDescription
  ) throws(BrokerError) -> ResolvedConfiguration {
    let role = session.role
    if let other = description.role, other != role {
      let name = description.name.map { "the configuration \($0)" } ?? "the configuration"
      throw BrokerError.wrongRole(name, "is for", other, role)
    }
    let known =
      description.name.map { manifest.configuration(named: $0, for: role) }
      ?? manifest.configurations(for: role).first
    let configuration = description.applied(to: known ?? .standard)
    var resolved = ResolvedConfiguration(
      configuration: configuration, isDescribed: configuration != known,
      userInfo: session.userInfo)
    if let kind = description.kind, !kind.isKnown { resolved.unknownKind = kind.rawValue }
    return resolved
  }

  /// Why the broker ignores an answer.
  func problem(with answer: ConfigurationForConnecting.Answer) -> BrokerError? {
    do throws(BrokerError) {
      if let userInfo = answer.userInfo { try limits.check(userInfo) }
      guard case .described(let description) = answer.configuration else { return nil }
      guard description.name?.isEmpty != true else {
        throw BrokerError(.invalidParams, "configuration.name: must not be empty")
      }
      for text in [
        description.name, description.delegateClass, description.sceneClass,
        description.storyboard,
      ] where text?.utf8.count ?? 0 > SceneConfiguration.textByteLimit {
        throw BrokerError.tooLarge(
          "a text of the configuration", limit: SceneConfiguration.textByteLimit)
      }
      return nil
    } catch {
      return error
    }
  }

  // MARK: - The trace

  /// How the session differs from the request: by its kind or by its configuration.
  func remark(on session: ConfiguredSession) -> String? {
    if let kind = session.resolved.unknownKind {
      return "the application delegate chose the unknown kind \"\(kind.clipped(to: 40))\"; "
        + "the broker uses group; the kinds are "
        + ConfigurationKind.allCases.map(\.rawValue).joined(separator: ", ")
    }
    guard let missing = session.resolved.missing else { return nil }
    let (pending, role) = (session.pending, session.pending.role)
    let isRequested = missing == self.missing(pending.wantedConfiguration, for: role)
    let names = manifest.configurations(for: role).map(\.name)
    return (isRequested ? "" : "the application delegate chose \(missing); ")
      + "there is no configuration \(missing); the broker uses "
      + "\(session.resolved.configuration.name); the configurations are "
      + names.joined(separator: ", ")
  }
}
