/// The process of a scene that was lost has ended, and the broker, which had started it, knows how.
package struct SceneExited: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var exit = ClientExit()

  package init() {}

  package init(session: SessionIdentifier, exit: ClientExit) {
    self.session = session
    self.exit = exit
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("exit", &exit)
  }
}
