import SceneModel

/// `application/requestSceneSessionActivation`: the application wants a scene.
extension Broker {
  mutating func activate(_ message: RequestActivation, _ attempt: Attempt) {
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      let occasion = Occasion(message)
      guard let identifier = try sessionToActivate(message) else {
        return try make(
          message.name, role: message.role, message.configuration, for: occasion,
          .activate(message), attempt)
      }
      let role =
        pendingSessions.configured(identifier)?.creation.role ?? store[identifier]?.attributes.role
      if let wanted = message.role, let role, wanted != role {
        throw wrongRole(label(of: identifier), "has", role, wanted)
      }
      try want(identifier, for: occasion, .activate(message), attempt)
    } catch {
      refuse(attempt.requester, error)
    }
  }

  private func checkForm(of message: RequestActivation) throws(BrokerError) {
    guard message.session == nil || message.name == nil else {
      throw BrokerError(
        .invalidParams, "session, name: give at most one; with neither, the session is new")
    }
    try check(name: message.name)
    if let activity = message.userActivity { try check(activity) }
  }

  /// Nil for one that is to be made.
  private func sessionToActivate(
    _ message: RequestActivation
  ) throws(BrokerError) -> SessionIdentifier? {
    if let identifier = message.session {
      guard store.contains(identifier) || pendingSessions.configured(identifier) != nil else {
        throw notFound(identifier)
      }
      return identifier
    }
    if let name = message.name {
      // A request for a session that waits for its process waits as well.
      if let identifier = toBeLaunched(named: name) { return identifier }
      return try sessionToTake(named: name)
    }
    let target =
      message.options?.targetContentIdentifier ?? message.userActivity?.targetContentIdentifier
    guard let target else { return nil }
    return try session(for: target, role: message.role)
  }
}
