/// Keeps a scene in the background from being reclaimed, for a while and under a name that says
/// what for.
package struct BeginAssertion: RequestMessage {
  package static var method: StaticString { "scene/beginAssertion" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { false }

  package var session: SessionIdentifier = .none
  package var name: String = ""
  /// After so long it ends by itself; at most a day.
  package var seconds: Double = 0

  package init() {}

  package init(session: SessionIdentifier, name: String, seconds: Double) {
    self.session = session
    self.name = name
    self.seconds = seconds
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("seconds", &seconds)
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// Never given out twice by one broker.
    package var assertion: Int64 = 0

    package init() {}

    package init(assertion: Int64) { self.assertion = assertion }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("assertion", &assertion)
    }
  }
}

/// Ends one before its time.
package struct EndAssertion: RequestMessage {
  package static var method: StaticString { "scene/endAssertion" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var assertion: Int64 = 0

  package init() {}

  package init(assertion: Int64) { self.assertion = assertion }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("assertion", &assertion)
  }

  package typealias Reply = Empty
}
