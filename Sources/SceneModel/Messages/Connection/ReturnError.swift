/// Gets the error with this name, so that a client can test how it handles the error.
package struct ReturnError: RequestMessage {
  package static var method: StaticString { "broker/returnError" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var reason: String = ""

  package init() {}

  package init(reason: String) {
    self.reason = reason
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("reason", &reason)
  }
}
