/// Is answered when no walk is under way and nothing waits to be delivered.
package struct Settle: RequestMessage {
  package static var method: StaticString { "broker/settle" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// Processes by their numbers: what their scenes are asked is not waited for.
  package var except: [Int64]?

  package init() {}

  package init(except: [Int64]?) { self.except = except }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("except", &except)
  }

  package typealias Reply = Empty
}
