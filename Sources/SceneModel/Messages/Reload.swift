/// Reads the manifest's file again, and lives by it from then on. What is wrong with it is the
/// refusal's message, and the manifest stays as it was.
package struct Reload: RequestMessage {
  package static var method: StaticString { "broker/reload" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
