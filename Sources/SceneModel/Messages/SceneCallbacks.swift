import SceneJSON

/// The parameters of a callback that has only a session.
package struct SceneReference: CallbackMessage {
  package var session: SessionIdentifier = .none

  package init() {}

  package init(session: SessionIdentifier) { self.session = session }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
  }
}

/// The first callback of a scene: the session, its stored state and the reason of the connect.
package struct WillConnect: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var sceneSession = SceneSessionRecord()
  package var isNew = false
  package var reason: ConnectReason = .launch
  /// The number that the client presents when it resumes.
  package var hold: Int64 = 0
  /// The session's original configuration, if the manifest no longer has it.
  package var missingConfiguration: String?
  /// The withheld activity. The scene begins without one.
  package var withheld: Withholding?
  package var options: ConnectionOptions = .none
  /// The variables of the user's login, for the program that `scene` starts again.
  package var environment: LoginEnvironment?
  /// The end of the last scene; nil for the first one.
  package var lastEnd: LastEnd?

  package init() {}

  package var tracedReason: String? { reason.rawValue }
  package var tracedHold: Int64? { hold }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("isNew", &isNew)
    try visitor.required("reason", &reason)
    try visitor.required("hold", &hold)
    try visitor.optional("missingConfiguration", &missingConfiguration)
    try visitor.optional("withheld", &withheld)
    try visitor.required("options", &options)
    try visitor.optional("environment", &environment)
    try visitor.optional("lastEnd", &lastEnd)
  }
}

/// The last callback of a scene. The session stays.
package struct DidDisconnect: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var reason: DisconnectReason = .clientRequest
  /// The host that gets the session; nil unless the session moves.
  package var host: String?
  /// The animation of the request that discarded the session; nil for another end.
  package var dismissalAnimation: DismissalAnimation?

  package init() {}

  package init(session: SessionIdentifier, reason: DisconnectReason) {
    self.session = session
    self.reason = reason
  }

  package var tracedReason: String? { reason.rawValue }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("reason", &reason)
    try visitor.optional("host", &host)
    try visitor.optional("dismissalAnimation", &dismissalAnimation)
  }
}

/// The answer to `stateRestorationActivity`: a value saves the activity, null clears it, and
/// absence leaves it.
package struct StateRestorationAnswer: JSONStructure, Equatable, Sendable {
  package var activity: Patch<Activity> = .absent

  package init() {}

  package init(activity: Patch<Activity>) { self.activity = activity }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("activity", &activity)
  }
}

/// Announces an activity of this type.
package struct WillContinueUserActivity: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var activityType = ""

  package init() {}

  package init(session: SessionIdentifier, activityType: String) {
    self.session = session
    self.activityType = activityType
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("activityType", &activityType)
  }
}

/// Delivers an activity: one to continue, or the answer to `stateRestorationActivity` that the
/// broker has saved.
package struct UserActivityMessage: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var userActivity: Activity = .none

  package init() {}

  package init(session: SessionIdentifier, userActivity: Activity) {
    self.session = session
    self.userActivity = userActivity
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("userActivity", &userActivity)
  }
}

/// Delivers URLs to open.
package struct OpenURLContexts: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var urlContexts: [OpenURLContext] = []

  package init() {}

  package init(session: SessionIdentifier, urlContexts: [OpenURLContext]) {
    self.session = session
    self.urlContexts = urlContexts
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
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

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("notificationResponse", &notificationResponse)
  }
}
