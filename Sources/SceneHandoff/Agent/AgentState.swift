import SceneJSON
package import SceneModel

/// The agent's memory of one session.
package struct SessionMemory: JSONStructure, Equatable, Sendable {
  package var session = SessionIdentifier.none
  /// The fence under which this host owned the session last.
  package var fence: Int64 = 0
  /// The last published content; 0 without one.
  package var digest: Int64 = 0
  package var files: Int64 = 0
  /// The nonce of the transfer that follows a release of this agent.
  package var nonce: String?

  package init() {}

  init(_ session: SessionIdentifier, fence: Int64) {
    self.session = session
    self.fence = fence
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("fence", &fence)
    try visitor.required("digest", &digest)
    try visitor.optional("files", &files, otherwise: 0)
    try visitor.optional("nonce", &nonce)
  }
}

/// The state file of the agent.
package struct AgentState: JSONStructure, Equatable, Sendable {
  /// Distinguishes two hosts with the same name.
  package var number: Int64 = 0
  /// The name of the host. Under another name, the sessions of this host would belong to another
  /// host.
  package var host: String?
  package var sessions: [SessionMemory] = []

  package init() {}

  package init(number: Int64, host: String? = nil) {
    self.number = number
    self.host = host
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("number", &number)
    try visitor.optional("host", &host)
    try visitor.required("sessions", &sessions)
  }
}
