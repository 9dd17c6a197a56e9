/// Gets an empty reply.
package struct Ping: RequestMessage {
  package static var method: StaticString { "broker/ping" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
