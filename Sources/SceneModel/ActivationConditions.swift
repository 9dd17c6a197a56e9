/// Which target content identifiers are for a session, with or without a holder.
package struct ActivationConditions: Hashable, Sendable {
  /// What it can be activated for; nil for everything.
  package var canActivate: ActivationPredicate?
  /// What it is preferred for, whether or not it could be activated for it otherwise; nil for
  /// nothing.
  package var prefersToActivate: ActivationPredicate?

  package init(
    canActivate: ActivationPredicate? = nil, prefersToActivate: ActivationPredicate? = nil
  ) {
    self.canActivate = canActivate
    self.prefersToActivate = prefersToActivate
  }

  /// A session's that has said nothing.
  package static let standard = ActivationConditions()

  package func canActivate(for identifier: String) -> Bool {
    canActivate?.matches(identifier) ?? true
  }

  package func prefersToActivate(for identifier: String) -> Bool {
    prefersToActivate?.matches(identifier) ?? false
  }

  /// The bytes of their texts.
  package var byteCount: Int {
    guard self != .standard else { return 0 }
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  var texts: [String?] { [canActivate?.description, prefersToActivate?.description] }
}

extension ActivationConditions: JSONStructure {
  package init() { self.init(canActivate: nil) }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("canActivate", &canActivate)
    try visitor.optional("prefersToActivate", &prefersToActivate)
  }
}

/// The conditions as texts: as a client sends them, perhaps with errors, or as a client
/// gets them, which need not know the grammar.
package struct ActivationConditionTexts: JSONStructure, Hashable, Sendable {
  /// Null for the standard, which is TRUEPREDICATE.
  package var canActivate: Presence<String> = .absent
  /// Null for the standard, which is FALSEPREDICATE.
  package var prefersToActivate: Presence<String> = .absent

  package init() {}

  package init(
    canActivate: Presence<String> = .absent, prefersToActivate: Presence<String> = .absent
  ) {
    self.canActivate = canActivate
    self.prefersToActivate = prefersToActivate
  }

  /// Nil for the standard.
  package init?(_ conditions: ActivationConditions) {
    guard conditions != .standard else { return nil }
    canActivate = conditions.canActivate.map { .value($0.description) } ?? .absent
    prefersToActivate = conditions.prefersToActivate.map { .value($0.description) } ?? .absent
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("canActivate", &canActivate)
    try visitor.optional("prefersToActivate", &prefersToActivate)
  }
}
