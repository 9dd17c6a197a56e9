package import SceneModel

/// The answer to `scenectl handoff`.
package struct HandoffStatus: JSONStructure, Equatable, Sendable {
  package struct Session: JSONStructure, Equatable, Sendable {
    package var session = SessionIdentifier.none
    package var name: String?
    package var title: String?
    package var owner = ""
    /// Whether the owner's agent runs.
    package var isPresent = false
    package var fence: Int64 = 0
    /// The generation at this host; nil without the session.
    package var generation: Int64?
    package var publishedGeneration: Int64?
    /// The time of the publication in milliseconds since 1970, by the clock of the owner.
    package var published: Int64?
    package var program: SessionProgram?
    package var conflicts: [String] = []
    package var problem: String?

    package init() {}

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("session", &session)
      try visitor.optional("name", &name)
      try visitor.optional("title", &title)
      try visitor.required("owner", &owner)
      try visitor.required("ownerPresent", &isPresent)
      try visitor.required("fence", &fence)
      try visitor.optional("generation", &generation)
      try visitor.optional("publishedGeneration", &publishedGeneration)
      try visitor.optional("published", &published)
      try visitor.optional("program", &program)
      try visitor.optional("conflicts", &conflicts, otherwise: [])
      try visitor.optional("problem", &problem)
    }
  }

  package var host = ""
  /// Why the engine cannot be used, and for how many seconds; nil while the agent is connected.
  package var problem: String?
  package var unreachable: Int64?
  package var sessions: [Session] = []

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("host", &host)
    try visitor.optional("problem", &problem)
    try visitor.optional("unreachable", &unreachable)
    try visitor.required("sessions", &sessions)
  }
}
