/// Reads the manifest's file again and applies it. If the file has errors, the error lists them and
/// the manifest stays.
package struct Reload: RequestMessage {
  package static var method: StaticString { "broker/reload" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package typealias Reply = Empty
}
