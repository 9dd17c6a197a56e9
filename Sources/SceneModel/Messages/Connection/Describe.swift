/// Returns all methods, limits and errors of this broker.
package struct Describe: RequestMessage {
  package static var method: StaticString { "broker/describe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = OpaqueObject
}
