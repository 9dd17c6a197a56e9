/// Is answered when no walk is under way and nothing waits to be delivered.
package struct Settle: RequestMessage {
  package static var method: StaticString { "broker/settle" }
  package static var permission: Permission { .anyone }

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
