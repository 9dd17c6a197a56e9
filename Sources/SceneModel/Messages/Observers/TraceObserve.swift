/// Sends the stored trace, then each new entry.
package struct TraceObserve: RequestMessage {
  package static var method: StaticString { "trace/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// The number of the last entry that the client has.
  package var after: Int64?

  package init() {}

  package init(after: Int64? = nil) {
    self.after = after
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("after", &after)
  }

  package typealias Reply = Empty
}
