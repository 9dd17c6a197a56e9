import SceneModel

/// `application/requestSceneSessionActivation`: the application wants a scene.
extension Broker {
  /// Tried again when what stood in the way may be gone. Those who were `asked` about are waited
  /// for.
  mutating func activate(
    _ message: RequestActivation, _ asker: Asker, fresh: SessionIdentifier,
    besides asked: [ClientProcess] = []
  ) {
    do throws(BrokerError) {
      try checkForm(of: message)
      guard !isShuttingDown else { throw shuttingDown }
      let occasion = Occasion(message)
      guard let identifier = try sessionToActivate(message) else {
        return try make(
          message.name, role: message.role, message.configuration, for: occasion,
          .activate(message), asker, fresh: fresh)
      }
      let role = decidedCreation(identifier)?.creation.role ?? stored[identifier]?.attributes.role
      if let wanted = message.role, let role, wanted != role {
        throw wrongRole(label(of: identifier), "has", role, wanted)
      }
      try want(identifier, for: occasion, .activate(message), asker, fresh: fresh, besides: asked)
    } catch {
      refuse(asker, error)
    }
  }

  private func checkForm(of message: RequestActivation) throws(BrokerError) {
    guard message.session == nil || message.name == nil else {
      throw BrokerError(.invalidParams, "session, name: give one of them, or none for a new one")
    }
    try check(name: message.name)
    if let activity = message.userActivity { try check(activity) }
  }

  /// Nil for one that is to be made.
  private func sessionToActivate(
    _ message: RequestActivation
  ) throws(BrokerError) -> SessionIdentifier? {
    if let identifier = message.session {
      guard stored.contains(identifier) || decidedCreation(identifier) != nil else {
        throw notFound(identifier)
      }
      return identifier
    }
    if let name = message.name {
      // Whoever wants it while it is being made waits for that as well.
      if let identifier = toBeLaunched(named: name) { return identifier }
      return try sessionToTake(named: name)
    }
    let target =
      message.options?.targetContentIdentifier ?? message.userActivity?.targetContentIdentifier
    guard let target else { return nil }
    return try session(for: target, role: message.role)
  }
}
