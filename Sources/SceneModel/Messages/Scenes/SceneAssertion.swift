/// Begins an assertion: the broker does not reclaim the scene while it is in the background. The
/// name states the purpose.
package struct BeginAssertion: RequestMessage {
  package static var method: StaticString { "scene/beginAssertion" }
  package static var permission: Permission { .changers }
  package var lastWords: LastWords { .of(session) }

  package var session: SessionIdentifier = .none
  package var name: String = ""
  /// The duration after which the assertion ends by itself, at most a day.
  package var seconds: Double = 0

  package init() {}

  package init(session: SessionIdentifier, name: String, seconds: Double) {
    self.session = session
    self.name = name
    self.seconds = seconds
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("seconds", &seconds)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// Unique in the life of one broker.
    package var assertion: Int64 = 0

    package init() {}

    package init(assertion: Int64) { self.assertion = assertion }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("assertion", &assertion)
    }
  }
}

/// Ends an assertion early.
package struct EndAssertion: RequestMessage {
  package static var method: StaticString { "scene/endAssertion" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }
  package var lastWords: LastWords { .ofAnyScene }

  package var assertion: Int64 = 0

  package init() {}

  package init(assertion: Int64) { self.assertion = assertion }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("assertion", &assertion)
  }
}
