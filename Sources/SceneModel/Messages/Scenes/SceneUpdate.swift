/// Changes the properties that lists show, and the activation conditions; null removes a member.
package struct SceneUpdate: RequestMessage {
  package static var method: StaticString { "scene/update" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  package var title: Patch<String> = .absent
  package var subtitle: Patch<String> = .absent
  /// The text that shows the scene in the switcher.
  package var snapshot: Patch<String> = .absent
  package var activationConditions: Patch<ActivationConditionTexts> = .absent

  package init() {}

  package init(
    session: SessionIdentifier, title: Patch<String> = .absent,
    subtitle: Patch<String> = .absent, snapshot: Patch<String> = .absent,
    activationConditions: Patch<ActivationConditionTexts> = .absent
  ) {
    self.session = session
    self.title = title
    self.subtitle = subtitle
    self.snapshot = snapshot
    self.activationConditions = activationConditions
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("title", &title)
    try visitor.optional("subtitle", &subtitle)
    try visitor.optional("snapshot", &snapshot)
    try visitor.optional("activationConditions", &activationConditions)
  }

  package typealias Reply = Empty
}
