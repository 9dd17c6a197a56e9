/// Changes the properties that lists show, and the activation conditions; null removes a member.
package struct SceneUpdate: RequestMessage {
  package static var method: StaticString { "scene/update" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  package var title: Presence<String> = .absent
  package var subtitle: Presence<String> = .absent
  /// The text that shows the scene in the switcher.
  package var snapshot: Presence<String> = .absent
  package var activationConditions: Presence<ActivationConditionTexts> = .absent

  package init() {}

  package init(
    session: SessionIdentifier, title: Presence<String> = .absent,
    subtitle: Presence<String> = .absent, snapshot: Presence<String> = .absent,
    activationConditions: Presence<ActivationConditionTexts> = .absent
  ) {
    self.session = session
    self.title = title
    self.subtitle = subtitle
    self.snapshot = snapshot
    self.activationConditions = activationConditions
  }

  package mutating func members<Visitor: MemberVisitor>(
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
