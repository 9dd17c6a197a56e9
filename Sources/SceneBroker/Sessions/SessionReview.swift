import SceneModel

/// Lines about the stored sessions, for the log.
extension Broker {
  /// A line for each configuration that sessions have and the manifest no longer has.
  package func missingConfigurations() -> [String] {
    var uses: [String: (count: Int, configuration: String)] = [:]
    // A call in the loop would copy the broker.
    let manifest = manifest
    for session in store.sessions {
      let (current, isLost) = manifest.currentConfiguration(of: session.attributes)
      guard isLost else { continue }
      uses[session.attributes.configuration.name, default: (0, current.name)].count += 1
    }
    return uses.sorted { $0.key < $1.key }.map { name, use in
      let sessions = use.count == 1 ? "1 session has" : "\(use.count) sessions have"
      let name = name.clipped(to: 100)
      return "\(sessions) the configuration \(name), which the manifest does not have; the broker "
        + (use.configuration == name
          ? "keeps that of the session" : "uses \(use.configuration.clipped(to: 100))")
    }
  }

  /// A line about many sessions without a scene that their users closed; nil below the limit.
  package func closedSessions() -> String? {
    // A call in the loop would copy the broker.
    let scenes = scenes.all
    let count = store.sessions.count { session in
      session.isPresent && scenes[session.attributes.identifier] == nil
        && session.hold.end?.isByUser != false
    }
    guard count >= Self.closedSessionLimit else { return nil }
    return "\(count) sessions are closed; to discard those without a client for 30 days: "
      + "scenectl\(environment.options) discard --unattached --older-than 30d"
  }

  private static let closedSessionLimit = 100
}
