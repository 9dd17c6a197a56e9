/// Starts notifications of all changes of sessions.
package struct SessionObserve: RequestMessage {
  package static var method: StaticString { "session/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
