/// Is answered with the error of that name, to try a client's handling of it.
package struct ReturnError: RequestMessage {
  package static var method: StaticString { "broker/returnError" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var reason: String = ""

  package init() {}

  package init(reason: String) {
    self.reason = reason
  }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("reason", &reason)
  }

  package typealias Reply = Empty
}
