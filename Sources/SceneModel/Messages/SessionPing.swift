/// Asks whether the client of a scene answers a callback.
package struct SessionPing: RequestMessage {
  package static var method: StaticString { "session/ping" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  /// The time for the answer.
  package var seconds: Double = 0

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// The time until the answer.
    package var milliseconds: Double = 0

    package init() {}

    package init(milliseconds: Double) { self.milliseconds = milliseconds }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("milliseconds", &milliseconds)
    }
  }

  package init() {}

  package init(session: SessionIdentifier, seconds: Double) {
    self.session = session
    self.seconds = seconds
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("seconds", &seconds)
  }
}
