import SceneModel

/// Activation conditions: the session for content that names no session.
extension Broker {
  /// The session for a target content identifier; nil for a new one of the configuration. Without
  /// an identifier, every session can show the content. Where only one session is possible, it
  /// gets the content.
  ///
  /// `identifier` selects the configuration of a new session, unless the request names one.
  func route(
    _ target: String?, handling identifier: String?, _ role: Role?, _ requested: String?
  ) throws(BrokerError) -> (session: SessionIdentifier?, configuration: String?) {
    try limits.check(target: target)
    let role = role ?? manifest.defaultRole
    return try route(
      toBestOf: routingScores(for: target, role), handling: identifier, role, requested)
  }

  private func route(
    toBestOf scores: [RoutingScore], handling identifier: String?, _ role: Role,
    _ requested: String?
  ) throws(BrokerError) -> (session: SessionIdentifier?, configuration: String?) {
    if let best = scores.max(), best.isAllowed { return (best.session, requested) }
    let name =
      requested ?? identifier.flatMap { manifest.configuration(handling: $0, for: role)?.name }
    let configuration = try configurationResolver.configuration(named: name, for: role)
    return (onlySession(of: role, configuration), name)
  }

  private func routingScores(for target: String?, _ role: Role) -> [RoutingScore] {
    var scores: [RoutingScore] = []
    for session in store.sessions where session.isPresent && session.attributes.role == role {
      let (configuration, _) = manifest.currentConfiguration(of: session.attributes)
      // No content is for settings.
      guard configuration.kind != .settings else { continue }
      let isActive = scenes[session.attributes.identifier]?.state == .foregroundActive
      scores.append(RoutingScore(session, for: target, isActive: isActive))
    }
    for session in pendingSessions.configured
    where session.pending.role == role && session.resolved.configuration.kind != .settings {
      scores.append(RoutingScore(session))
    }
    return scores
  }

  mutating func route(_ message: ApplicationRoute, _ requester: Requester) throws(BrokerError) {
    let target = message.targetContentIdentifier
    try limits.check(target: target)
    let role = manifest.defaultRole
    let ranked = routingScores(for: target, role).sorted(by: >)
    var answer = ApplicationRoute.Reply(candidates: [])
    let route = try route(toBestOf: ranked, handling: target, role, nil)
    answer.chosen = route.session
    if route.session == nil { answer.configuration = route.configuration }
    var room = replyBytes
    for score in ranked {
      let candidate = candidate(score)
      room -= candidate.jsonByteCount + 1
      guard room >= 0 || answer.candidates.isEmpty else {
        answer.more = true
        break
      }
      answer.candidates.append(candidate)
    }
    replyAboutAll(requester, answer)
  }

  private func candidate(_ score: RoutingScore) -> RouteCandidate {
    var candidate = RouteCandidate()
    candidate.session = score.session
    candidate.prefers = score.prefers
    candidate.can = score.can
    candidate.state = scenes[score.session]?.state ?? .unattached
    guard let session = store[score.session] else {
      candidate.name = pendingSessions[score.session]?.name
      return candidate
    }
    candidate.name = session.attributes.name
    candidate.lastActive = score.isActive ? now.wall : session.hold.used
    candidate.activationConditions = ActivationConditionTexts(
      session.attributes.activationConditions)
    return candidate
  }
}

/// How well a session suits a target content identifier. The highest score wins.
struct RoutingScore: Comparable {
  let session: SessionIdentifier
  let prefers: Bool
  let can: Bool
  /// The active scene counts as the most recently used one.
  let isActive: Bool
  let order: Int64

  /// A stored session. Without a target, every session can show the content.
  init(_ session: StoredSession, for target: String?, isActive: Bool) {
    let conditions = session.attributes.activationConditions
    self.session = session.attributes.identifier
    prefers = target.map(conditions.prefersToActivate(for:)) ?? false
    can = target.map(conditions.canActivate(for:)) ?? true
    self.isActive = isActive
    order = session.hold.order
  }

  /// A session that waits for the process that it begins with.
  init(_ session: ConfiguredSession) {
    self.session = session.pending.identifier
    prefers = false
    can = true
    isActive = false
    order = .max
  }

  /// Whether the conditions of the session allow the content.
  var isAllowed: Bool { prefers || can }

  private var rank: Int { prefers ? 2 : can ? 1 : 0 }

  static func < (one: Self, other: Self) -> Bool {
    (one.rank, one.isActive ? 1 : 0, one.order, one.session)
      < (other.rank, other.isActive ? 1 : 0, other.order, other.session)
  }
}
