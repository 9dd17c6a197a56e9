import SceneModel

/// What the application delegate says a new session is made from. Its answer wins over the manifest.
extension Broker {
  /// It is asked once for each session, while it is there; not about what it wants itself, because the
  /// reply to that would wait for an answer from the same connection.
  func asksDelegate(about creation: PendingSession) -> Bool {
    guard manifest.applicationDelegate != .builtIn, delegate.takesQuestions,
      creation.requester.connection != delegate.connection
    else { return false }
    return isDelegateListening
  }

  /// The session as it would be without an answer.
  func question(about creation: PendingSession) -> ConfigurationForConnecting {
    let decision = try? decision(for: creation)
    let wanted = creation.wantedConfiguration?.clipped(to: SceneConfiguration.textByteLimit)
    let attributes = SessionAttributes(
      identifier: creation.identifier, name: creation.name, role: creation.role,
      configuration: decision?.configuration ?? SceneConfiguration(name: wanted ?? ""),
      userInfo: creation.userInfo, title: creation.title)
    return ConfigurationForConnecting(
      sceneSession: SceneSessionRecord(StoredSession(attributes: attributes)),
      options: creation.options)
  }

  /// The delegate has answered, or did not in time. Who asked for the session may be gone, and then
  /// there is nothing to decide.
  mutating func decide(_ identifier: SessionIdentifier, _ answer: CallbackAnswer?) {
    guard let creation = pendingSessions.decide(identifier) else { return }
    do throws(BrokerError) {
      try make(creation, from: try decision(for: creation, answer))
    } catch {
      refuse(creation.requester, error)
    }
  }

  /// Without the delegate the manifest decides.
  mutating func decideCreations() {
    while let creation = pendingSessions.firstUndecided { decide(creation.identifier, nil) }
  }

  mutating func refuseCreations() {
    for creation in pendingSessions.removeUndecided() { refuse(creation.requester, shuttingDown) }
  }

  // MARK: - The answer

  private mutating func decision(
    for creation: PendingSession, _ answer: CallbackAnswer?
  ) throws(BrokerError) -> ResolvedConfiguration {
    guard case .configuration(let answer) = answer else { return try decision(for: creation) }
    if let problem = problem(with: answer) {
      tell(
        .failed, creation.identifier, client: delegate.connection,
        delegateCallback: .configurationForConnecting, reason: problem.reason.name,
        detail: problem.message)
      return try decision(for: creation)
    }
    do throws(BrokerError) {
      var decision =
        switch answer.configuration {
        case nil: try self.decision(for: creation)
        case .named(let name): try self.decision(for: creation, naming: name)
        case .described(let description): try self.decision(for: creation, description)
        }
      decision.userInfo = answer.userInfo ?? decision.userInfo
      return decision
    } catch {
      guard error.reason == .wrongRole else { throw error }
      throw BrokerError(.wrongRole, "the application delegate's answer: \(error.message)")
    }
  }

  private func decision(
    for creation: PendingSession, _ description: ConfigurationDescription
  ) throws(BrokerError) -> ResolvedConfiguration {
    let role = creation.role
    if let other = description.role, other != role {
      let name = description.name.map { "the configuration \($0)" } ?? "the configuration"
      throw wrongRole(name, "is for", other, role)
    }
    let known =
      description.name.map { manifest.configuration(named: $0, for: role) }
      ?? manifest.configurations(for: role).first
    let configuration = description.applied(to: known ?? .standard)
    var decision = ResolvedConfiguration(
      configuration: configuration, isDescribed: configuration != known,
      userInfo: creation.userInfo)
    if let kind = description.kind, !kind.isKnown { decision.unknownKind = kind.rawValue }
    return decision
  }

  /// Why an answer cannot be used at all, so that it counts as none.
  private func problem(with answer: ConfigurationForConnecting.Answer) -> BrokerError? {
    do throws(BrokerError) {
      if let userInfo = answer.userInfo { try check(userInfo) }
      guard case .described(let description) = answer.configuration else { return nil }
      guard description.name?.isEmpty != true else {
        throw BrokerError(.invalidParams, "configuration.name: must not be empty")
      }
      for text in [
        description.name, description.delegateClass, description.sceneClass,
        description.storyboard,
      ] where text?.utf8.count ?? 0 > SceneConfiguration.textByteLimit {
        throw tooLarge("a text of the configuration", SceneConfiguration.textByteLimit)
      }
      return nil
    } catch {
      return error
    }
  }
}
