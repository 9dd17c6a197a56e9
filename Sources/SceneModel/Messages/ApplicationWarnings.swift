/// Tells every client that memory is short, and disconnects all scenes in the background that
/// nothing holds there; answered when they are unattached.
package struct MemoryWarning: RequestMessage {
  package static var method: StaticString { "application/memoryWarning" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { false }

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}

/// Tells every client that it is another day, another time zone, or that the clock was set.
package struct SignificantTimeChange: RequestMessage {
  package static var method: StaticString { "application/significantTimeChange" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
