/// One save of an activity, or of none.
package struct Generation: Equatable, Sendable {
  package var session: SessionIdentifier
  /// Counts up from 1 within the session.
  package var number: Int64
  package var activity: Activity?
  /// Milliseconds since 1970.
  package var saved: Int64

  package init(session: SessionIdentifier, number: Int64, activity: Activity?, saved: Int64) {
    self.session = session
    self.number = number
    self.activity = activity
    self.saved = saved
  }
}

extension Generation: JSONStructure {
  package init() { self.init(session: .none, number: 0, activity: nil, saved: 0) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("generation", &number)
    try visitor.required("activity", &activity)
    try visitor.required("saved", &saved)
  }
}
