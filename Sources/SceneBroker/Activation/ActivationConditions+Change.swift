import SceneModel

extension ActivationConditions {
  /// Applies the conditions of a request. Throws if one is invalid.
  mutating func apply(
    _ change: Patch<ActivationConditionTexts>, _ limits: Limits
  ) throws(BrokerError) {
    switch change {
    case .absent: return
    case .null: self = .standard
    case .value(let texts):
      try Self.apply(texts.canActivate, to: &canActivate, "canActivate", limits)
      try Self.apply(texts.prefersToActivate, to: &prefersToActivate, "prefersToActivate", limits)
    }
  }

  private static func apply(
    _ change: Patch<String>, to predicate: inout ActivationPredicate?, _ member: String,
    _ limits: Limits
  ) throws(BrokerError) {
    switch change {
    case .absent: return
    case .null: predicate = nil
    case .value(let text):
      predicate = try self.predicate(text, "activationConditions.\(member)", limits)
    }
  }

  /// Reads a predicate. The limit applies to the text and to the stored form, which each start
  /// reads.
  private static func predicate(
    _ text: String, _ member: String, _ limits: Limits
  ) throws(BrokerError) -> ActivationPredicate {
    func check(_ text: String) throws(BrokerError) {
      guard text.utf8.count <= limits.predicateBytes else {
        throw BrokerError.tooLarge(member, limit: limits.predicateBytes)
      }
    }
    try check(text)
    let predicate: ActivationPredicate
    do throws(MemberError) {
      predicate = try ActivationPredicate(text)
    } catch {
      throw BrokerError(.invalidPredicate, "\(member): \(error)")
    }
    try check(predicate.description)
    return predicate
  }
}
