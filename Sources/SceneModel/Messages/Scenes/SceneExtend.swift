/// Extends the budget of the running callback.
package struct SceneExtend: RequestMessage {
  package static var method: StaticString { "scene/extend" }
  package static var permission: Permission { .changers }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  /// The time from now.
  package var seconds: Double = 0

  package init() {}

  package init(session: SessionIdentifier, seconds: Double) {
    self.session = session
    self.seconds = seconds
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("seconds", &seconds)
  }
}
