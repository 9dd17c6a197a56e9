/// Changes the properties that lists show, the activation conditions, the program and the
/// placement; null removes a member.
package struct SceneUpdate: RequestMessage {
  package static var method: StaticString { "scene/update" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var title: Patch<String> = .absent
  package var subtitle: Patch<String> = .absent
  /// The text that shows the scene in the switcher.
  package var snapshot: Patch<String> = .absent
  package var activationConditions: Patch<ActivationConditionTexts> = .absent
  package var program: Patch<SessionProgram> = .absent
  /// The place of the window. See ``ScenePlacement``.
  package var placement: Patch<OpaqueObject> = .absent
  /// A problem of the scene, for the trace and the log. The broker does not store it.
  package var problem: String?

  package init() {}

  package init(
    session: SessionIdentifier, title: Patch<String> = .absent,
    subtitle: Patch<String> = .absent, snapshot: Patch<String> = .absent,
    activationConditions: Patch<ActivationConditionTexts> = .absent,
    program: Patch<SessionProgram> = .absent, placement: Patch<OpaqueObject> = .absent,
    problem: String? = nil
  ) {
    self.session = session
    self.title = title
    self.subtitle = subtitle
    self.snapshot = snapshot
    self.activationConditions = activationConditions
    self.program = program
    self.placement = placement
    self.problem = problem
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("title", &title)
    try visitor.optional("subtitle", &subtitle)
    try visitor.optional("snapshot", &snapshot)
    try visitor.optional("activationConditions", &activationConditions)
    try visitor.optional("program", &program)
    try visitor.optional("placement", &placement)
    try visitor.optional("problem", &problem)
  }
}
