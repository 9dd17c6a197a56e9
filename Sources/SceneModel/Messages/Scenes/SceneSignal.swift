/// Sends a signal to the process that holds a session. The trace and the end of the scene then name
/// the sender.
package struct SceneSignal: RequestMessage {
  package static var method: StaticString { "scene/signal" }
  package static var permission: Permission { .controls }

  package var session: SessionIdentifier = .none
  /// The name, such as "TERM", or the number.
  package var signal = "KILL"
  /// The expected process. If another one holds the session, the broker sends nothing.
  package var pid: Int64?

  package init() {}

  package init(session: SessionIdentifier, signal: String, pid: Int64? = nil) {
    self.session = session
    self.signal = signal
    self.pid = pid
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("signal", &signal, otherwise: "KILL")
    try visitor.optional("pid", &pid)
  }
}
