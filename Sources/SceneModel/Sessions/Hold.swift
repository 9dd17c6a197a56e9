/// The holder of a session, or the end of its last holder.
package struct Hold: Equatable, Sendable {
  package var session: SessionIdentifier
  /// The number of times that the session was given to a client. A client that resumes sends it.
  package var number: Int64 = 0
  /// Nil for a session without a holder.
  package var holder: ClientProcess?
  package var end: DisconnectOutcome?
  /// The end before this hold, while the session has a holder.
  package var lastEnd: LastEnd?
  /// The last holder, if it answered the disconnection. It gets the session first.
  package var previousHolder: ClientProcess?
  /// The most recently used of all sessions has the highest value.
  package var order: Int64 = 0
  /// The time of the last use, in milliseconds since 1970.
  package var used: Int64 = 0
  /// The number of successive clients that got the newest activity and lost their connection before
  /// their scene reached its target state.
  package var earlyEnds: Int64 = 0
  /// The generation that scenes do not get while it is the newest.
  package var withheld: Int64?
  /// The generation that was withheld while it was the newest. It stays until it is restored.
  package var pinned: Int64?

  package init(session: SessionIdentifier) { self.session = session }

  /// Whether a process holds the session, or held it until the broker shut down. The next broker
  /// reserves the session for this process.
  package var belongsToProcess: Bool {
    holder != nil || previousHolder != nil && end?.reason == .shutdown
  }
}

extension Hold: JSONStructure {
  package init() { self.init(session: .none) }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("hold", &number)
    try visitor.optional("holder", &holder)
    try visitor.optional("end", &end)
    try visitor.optional("lastEnd", &lastEnd)
    try visitor.optional("formerHolder", &previousHolder)
    try visitor.required("order", &order)
    try visitor.required("used", &used)
    try visitor.optional("earlyEnds", &earlyEnds, otherwise: 0)
    try visitor.optional("withheld", &withheld)
    try visitor.optional("pinned", &pinned)
  }
}
