/// Waits until all scenes are at rest and nothing waits for delivery.
package struct Settle: RequestMessage {
  package static var method: StaticString { "broker/settle" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// The processes whose callbacks the broker does not wait for.
  package var except: [Int64]?

  package init() {}

  package init(except: [Int64]?) { self.except = except }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("except", &except)
  }
}
