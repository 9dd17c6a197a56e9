/// Sends the stored trace, then each new entry.
package struct TraceObserve: RequestMessage {
  package static var method: StaticString { "trace/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  /// The number of the last entry that the client has.
  package var after: Int64?
  /// Whether each observer of an event has an entry of its own from now on.
  package var deliveries = false

  package init() {}

  package init(after: Int64? = nil, deliveries: Bool = false) {
    self.after = after
    self.deliveries = deliveries
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("after", &after)
    try visitor.optional("deliveries", &deliveries, otherwise: false)
  }
}
