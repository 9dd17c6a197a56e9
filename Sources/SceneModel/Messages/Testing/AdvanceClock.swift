/// Advances a virtual clock. The broker answers when the clock has reached the new time.
package struct AdvanceClock: RequestMessage {
  package static var method: StaticString { "broker/advanceClock" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  /// The advance in seconds, at most a year.
  package var seconds: Double = 0

  package init() {}

  package init(seconds: Double) { self.seconds = seconds }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("seconds", &seconds)
  }
}
