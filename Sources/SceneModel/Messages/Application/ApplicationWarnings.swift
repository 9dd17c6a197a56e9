/// Sends a memory warning to all clients, and disconnects all scenes in the background without an
/// assertion. The broker answers when they are unattached.
package struct MemoryWarning: RequestMessage {
  package static var method: StaticString { "application/memoryWarning" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { false }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}

/// Notifies all clients of a new day, a new time zone or a new clock time.
package struct SignificantTimeChange: RequestMessage {
  package static var method: StaticString { "application/significantTimeChange" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
