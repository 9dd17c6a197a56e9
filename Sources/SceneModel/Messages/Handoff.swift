/// Marks a session without a scene as away, and returns its last content. The broker answers when
/// the disk has the record. The same request again has the same reply.
package struct SessionRelease: RequestMessage {
  package static var method: StaticString { "session/release" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// The number of the move: not lower than the last one of the session.
  package var fence: Int64 = 0
  /// The host that gets the session.
  package var to: String = ""
  /// Whether that host has the session.
  package var confirmed = false
  /// The destination of ssh, if it differs from the host's name.
  package var destination: String?
  /// The scenectl of that host, if `ssh` does not reach it.
  package var remote: String?

  package init() {}

  package init(
    session: SessionIdentifier, fence: Int64, to: String, confirmed: Bool = false,
    destination: String? = nil, remote: String? = nil
  ) {
    self.session = session
    self.fence = fence
    self.to = to
    self.confirmed = confirmed
    self.destination = destination
    self.remote = remote
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("fence", &fence)
    try visitor.required("to", &to)
    try visitor.optional("confirmed", &confirmed, otherwise: false)
    try visitor.optional("destination", &destination)
    try visitor.optional("remote", &remote)
  }

  package typealias Reply = SessionDetails
}

/// Creates a session of another host with the same identifier, or makes an away session present
/// again. The broker answers when the disk has the records.
package struct SessionAdopt: RequestMessage {
  package static var method: StaticString { "session/adopt" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package var sceneSession = SceneSessionRecord()
  /// The generation of the activity in `sceneSession`.
  package var generation: Int64 = 0
  /// The number of the move.
  package var fence: Int64 = 0
  /// The host that had the session.
  package var from: String = ""
  /// Whether the session stays away until the same request without this member.
  package var arriving = false
  /// The name of the client program that created the session.
  package var maker: String?

  package init() {}

  package init(
    sceneSession: SceneSessionRecord, generation: Int64, fence: Int64, from: String,
    arriving: Bool = false, maker: String? = nil
  ) {
    self.sceneSession = sceneSession
    self.generation = generation
    self.fence = fence
    self.from = from
    self.arriving = arriving
    self.maker = maker
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("generation", &generation)
    try visitor.required("fence", &fence)
    try visitor.required("from", &from)
    try visitor.optional("arriving", &arriving, otherwise: false)
    try visitor.optional("maker", &maker)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    package var session: SessionIdentifier = .none
    /// Nil if the session has no name, or if another session has it.
    package var name: String?
    /// False if the session was present with the same fence.
    package var adopted = false

    package init() {}

    package init(session: SessionIdentifier, name: String?, adopted: Bool) {
      self.session = session
      self.name = name
      self.adopted = adopted
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("session", &session)
      try visitor.required("name", &name)
      try visitor.required("adopted", &adopted)
    }
  }
}
