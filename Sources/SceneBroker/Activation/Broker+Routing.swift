import SceneModel

/// Activation conditions: which session something is for that names none.
extension Broker {
  // MARK: - Saying so

  /// Applies new activation conditions, or throws what is wrong with them.
  func change(
    _ conditions: inout ActivationConditions, _ said: Patch<ActivationConditionTexts>
  ) throws(BrokerError) {
    switch said {
    case .absent: return
    case .null: conditions = .standard
    case .value(let texts):
      try change(&conditions.canActivate, texts.canActivate, "canActivate")
      try change(&conditions.prefersToActivate, texts.prefersToActivate, "prefersToActivate")
    }
  }

  private func change(
    _ predicate: inout ActivationPredicate?, _ said: Patch<String>, _ member: String
  ) throws(BrokerError) {
    switch said {
    case .absent: return
    case .null: predicate = nil
    case .value(let text): predicate = try understood(text, "activationConditions.\(member)")
    }
  }

  /// Neither the text nor what it is written as may be too long: the one is read now, the other
  /// with every start.
  private func understood(
    _ text: String, _ member: String
  ) throws(BrokerError) -> ActivationPredicate {
    func check(_ text: String) throws(BrokerError) {
      guard text.utf8.count <= limits.predicateBytes else {
        throw tooLarge(member, limits.predicateBytes)
      }
    }
    try check(text)
    let predicate: ActivationPredicate
    do throws(PredicateError) {
      predicate = try ActivationPredicate(text)
    } catch {
      throw BrokerError(.invalidPredicate, "\(member): \(error)")
    }
    try check(predicate.description)
    return predicate
  }

  // MARK: - Going by it

  /// The session that something with this target content identifier is for; nil for a new one.
  /// Without an identifier, every session will do.
  func session(
    for target: String?, role: Role?
  ) throws(BrokerError) -> SessionIdentifier? {
    try check(target: target)
    guard let best = candidates(for: target, role ?? .windowApplication).max(), best.isWilling
    else { return nil }
    return best.session
  }

  /// Every session has to match it.
  func check(target: String?) throws(BrokerError) {
    guard target?.utf8.count ?? 0 <= limits.titleBytes else {
      throw tooLarge("targetContentIdentifier", limits.titleBytes)
    }
  }

  private func candidates(for target: String?, _ role: Role) -> [Candidacy] {
    var candidates: [Candidacy] = []
    for session in store.sessions where session.attributes.role == role {
      let (configuration, _) = manifest.currentConfiguration(of: session.attributes)
      // Settings show themselves and nothing else, so nothing is for them.
      if configuration.kind != .settings { candidates.append(standing(of: session, for: target)) }
    }
    for decided in pendingSessions.configured
    where decided.creation.role == role && decided.decision.configuration.kind != .settings {
      candidates.append(
        Candidacy(
          prefers: false, can: true, isActive: false, order: .max,
          session: decided.creation.identifier))
    }
    return candidates
  }

  private func standing(of session: StoredSession, for target: String?) -> Candidacy {
    let identifier = session.attributes.identifier
    let conditions = session.attributes.activationConditions
    return Candidacy(
      prefers: target.map(conditions.prefersToActivate(for:)) ?? false,
      can: target.map(conditions.canActivate(for:)) ?? true,
      isActive: scenes[identifier]?.state == .foregroundActive, order: session.tenure.order,
      session: identifier)
  }

  mutating func route(_ message: ApplicationRoute, _ requester: Requester) {
    do throws(BrokerError) {
      try check(target: message.targetContentIdentifier)
    } catch {
      return refuse(requester, error)
    }
    let ranked = candidates(for: message.targetContentIdentifier, .windowApplication)
      .sorted(by: >)
    var answer = ApplicationRoute.Reply(candidates: [])
    if let first = ranked.first, first.isWilling { answer.chosen = first.session }
    var room = replyBytes
    for standing in ranked {
      let candidate = candidate(standing)
      room -= candidate.jsonByteCount + 1
      guard room >= 0 || answer.candidates.isEmpty else {
        answer.more = true
        break
      }
      answer.candidates.append(candidate)
    }
    replyAboutAll(requester, .routed(answer))
  }

  private func candidate(_ standing: Candidacy) -> RouteCandidate {
    var candidate = RouteCandidate()
    candidate.session = standing.session
    candidate.prefers = standing.prefers
    candidate.can = standing.can
    candidate.state = scenes[standing.session]?.state ?? .unattached
    guard let session = store[standing.session] else {
      candidate.name = nameToBe(of: standing.session)
      return candidate
    }
    candidate.name = session.attributes.name
    candidate.lastActive = standing.isActive ? now.wall : session.tenure.used
    candidate.activationConditions = ActivationConditionTexts(
      session.attributes.activationConditions)
    return candidate
  }
}

/// How a session stands with something that is for one of them: the greatest is taken.
private struct Candidacy: Comparable {
  let prefers: Bool
  let can: Bool
  /// Who is active now was active last, whatever was used, or ended, meanwhile.
  let isActive: Bool
  let order: Int64
  let session: SessionIdentifier

  var isWilling: Bool { prefers || can }

  private var rank: Int { prefers ? 2 : can ? 1 : 0 }

  static func < (one: Self, other: Self) -> Bool {
    (one.rank, one.isActive ? 1 : 0, one.order, one.session)
      < (other.rank, other.isActive ? 1 : 0, other.order, other.session)
  }
}
