/// Gives the broker variables of the user's login, for the programs that it starts. Null removes a
/// variable.
package struct UpdateEnvironment: RequestMessage {
  package static var method: StaticString { "application/updateEnvironment" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package var environment = LoginEnvironment()

  package init() {}

  package init(_ environment: LoginEnvironment) { self.environment = environment }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("environment", &environment)
  }
}
