import SceneModel

/// A session is absent while another host has it, and while it is in the trash. No client connects
/// to an absent session, and no request changes it or routes content to it.
extension Broker {
  /// Throws if the session is absent. A session that waits for its process is not.
  func checkPresent(_ identifier: SessionIdentifier) throws(BrokerError) {
    guard store[identifier]?.isPresent != false, store.state.trash[identifier] == nil else {
      throw absence(of: identifier)
    }
  }

  /// Why there is no present session with this identifier.
  func absence(of identifier: SessionIdentifier) -> BrokerError {
    if let session = store.listed(identifier), let away = session.attributes.away {
      return self.away(away, session)
    }
    return store.state.trash[identifier].map { inTrash($0) } ?? .noSession(identifier)
  }

  /// Why there is no session with this name.
  func absence(named name: String) -> BrokerError {
    store.state.trash.values.inOrderOfEnd.last { $0.session.attributes.name == name }
      .map { inTrash($0) } ?? .noSession(named: name)
  }

  private func inTrash(_ trashed: TrashedSession) -> BrokerError {
    let session = trashed.session.attributes
    let argument = session.name.flatMap { HostName.problem(with: $0) == nil ? $0 : nil }
    return BrokerError(
      .sessionNotFound,
      "\(session.name?.clipped(to: 100) ?? session.identifier.short) is discarded; take it back "
        + "with: scenectl\(environment.options) undiscard "
        + "\(argument ?? session.identifier.description)")
  }

  private func away(_ away: SessionAway, _ session: StoredSession) -> BrokerError {
    let identifier = session.attributes.identifier
    let name = session.attributes.name.flatMap { HostName.problem(with: $0) == nil ? $0 : nil }
    let place = away.place(
      of: name ?? identifier.description, environment.options,
      hasAgent: !topics.observers(of: SessionAway.agentTopic).isEmpty)
    return BrokerError(.sessionAway, "\(label(of: identifier)) \(place)")
  }
}
