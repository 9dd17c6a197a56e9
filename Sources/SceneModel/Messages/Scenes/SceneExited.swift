/// Tells how the process of a lost scene ended, if the broker had started it.
package struct SceneExited: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var exit = ClientExit()

  package init() {}

  package init(session: SessionIdentifier, exit: ClientExit) {
    self.session = session
    self.exit = exit
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("exit", &exit)
  }
}
