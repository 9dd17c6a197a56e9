/// Has the broker send a signal to the process that holds a session, so that the trace and the end of
/// the scene name the sender.
package struct SceneSignal: RequestMessage {
  package static var method: StaticString { "scene/signal" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { false }

  package var session: SessionIdentifier = .none
  /// By name, such as "TERM", or by number.
  package var signal = "KILL"
  /// The process that is meant. If another one holds the session by now, nothing is sent.
  package var pid: Int64?

  package init() {}

  package init(session: SessionIdentifier, signal: String, pid: Int64? = nil) {
    self.session = session
    self.signal = signal
    self.pid = pid
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.optional("signal", &signal, otherwise: "KILL")
    try visitor.optional("pid", &pid)
  }

  package typealias Reply = Empty
}
