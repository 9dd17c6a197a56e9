import SceneJSON

/// Delivers URLs to open.
package struct OpenURLContexts: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var urlContexts: [OpenURLContext] = []

  package init() {}

  package init(session: SessionIdentifier, urlContexts: [OpenURLContext]) {
    self.session = session
    self.urlContexts = urlContexts
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("urlContexts", &urlContexts)
  }
}

/// Delivers a shortcut that a person chose.
package struct PerformActionForShortcutItem: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var shortcutItem = ShortcutItem(unchecked: .emptyObject)

  package init() {}

  package init(session: SessionIdentifier, shortcutItem: ShortcutItem) {
    self.session = session
    self.shortcutItem = shortcutItem
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("shortcutItem", &shortcutItem)
  }
}

/// Delivers a person's response to a notification.
package struct DidReceiveNotificationResponse: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var notificationResponse = NotificationResponse(unchecked: .emptyObject)

  package init() {}

  package init(session: SessionIdentifier, notificationResponse: NotificationResponse) {
    self.session = session
    self.notificationResponse = notificationResponse
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("notificationResponse", &notificationResponse)
  }
}

/// The broker saved the scene's answer to `stateRestorationActivity`.
package struct DidUpdateUserActivity: CallbackMessage {
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
