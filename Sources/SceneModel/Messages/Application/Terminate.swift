/// Ends the application in order, after all scenes have disconnected.
package struct Terminate: RequestMessage {
  package static var method: StaticString { "application/terminate" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { false }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
