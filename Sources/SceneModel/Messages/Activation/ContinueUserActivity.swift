/// Announces an activity of this type.
package struct WillContinueUserActivity: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var activityType = ""

  package init() {}

  package init(session: SessionIdentifier, activityType: String) {
    self.session = session
    self.activityType = activityType
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("activityType", &activityType)
  }
}

/// Delivers the activity to continue.
package struct ContinueUserActivity: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var userActivity: Activity = .none

  package init() {}

  package init(session: SessionIdentifier, userActivity: Activity) {
    self.session = session
    self.userActivity = userActivity
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("userActivity", &userActivity)
  }
}
