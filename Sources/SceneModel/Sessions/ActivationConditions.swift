/// The target content identifiers that a session shows, with or without a scene.
package struct ActivationConditions: Hashable, Sendable {
  /// Selects the content that the session can show; nil for all content.
  package var canActivate: ActivationPredicate?
  /// Selects the content for which the session is preferred, independent of `canActivate`; nil for
  /// none.
  package var prefersToActivate: ActivationPredicate?

  package init(
    canActivate: ActivationPredicate? = nil, prefersToActivate: ActivationPredicate? = nil
  ) {
    self.canActivate = canActivate
    self.prefersToActivate = prefersToActivate
  }

  /// The default conditions of a session.
  package static let standard = ActivationConditions()

  package func canActivate(for identifier: String) -> Bool {
    canActivate?.matches(identifier) ?? true
  }

  package func prefersToActivate(for identifier: String) -> Bool {
    prefersToActivate?.matches(identifier) ?? false
  }

  /// The bytes of both texts.
  package var byteCount: Int {
    guard self != .standard else { return 0 }
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  var texts: [String?] { [canActivate?.description, prefersToActivate?.description] }
}

extension ActivationConditions: JSONStructure {
  package init() { self.init(canActivate: nil) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("canActivate", &canActivate)
    try visitor.optional("prefersToActivate", &prefersToActivate)
  }
}

/// The conditions as unparsed texts, for requests and for clients that do not parse them.
package struct ActivationConditionTexts: JSONStructure, Hashable, Sendable {
  /// Null for the default, TRUEPREDICATE.
  package var canActivate: Patch<String> = .absent
  /// Null for the default, FALSEPREDICATE.
  package var prefersToActivate: Patch<String> = .absent

  package init() {}

  package init(
    canActivate: Patch<String> = .absent, prefersToActivate: Patch<String> = .absent
  ) {
    self.canActivate = canActivate
    self.prefersToActivate = prefersToActivate
  }

  /// Nil for the default conditions.
  package init?(_ conditions: ActivationConditions) {
    guard conditions != .standard else { return nil }
    canActivate = conditions.canActivate.map { .value($0.description) } ?? .absent
    prefersToActivate = conditions.prefersToActivate.map { .value($0.description) } ?? .absent
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("canActivate", &canActivate)
    try visitor.optional("prefersToActivate", &prefersToActivate)
  }
}
