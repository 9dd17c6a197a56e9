/// Activates a session, or makes a new one. The broker answers when the scene has reached the
/// foreground, was diverted or was refused.
package struct RequestActivation: RequestMessage {
  package static var method: StaticString { "application/requestSceneSessionActivation" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { session != nil || name != nil }

  package var session: SessionIdentifier?
  /// The broker makes a session if none has this name.
  package var name: String?
  package var role: Role?
  package var configuration: String?
  package var userActivity: Activity?
  package var options: ActivationOptions?
  /// The variables of the requester's login. Only a control has them.
  package var environment: LoginEnvironment?

  package init() {}

  package init(
    session: SessionIdentifier? = nil, name: String? = nil, role: Role? = nil,
    configuration: String? = nil, userActivity: Activity? = nil, options: ActivationOptions? = nil,
    environment: LoginEnvironment? = nil
  ) {
    self.session = session
    self.name = name
    self.role = role
    self.configuration = configuration
    self.userActivity = userActivity
    self.options = options
    self.environment = environment
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("session", &session)
    try visitor.optional("name", &name)
    try visitor.optional("role", &role)
    try visitor.optional("configuration", &configuration)
    try visitor.optional("userActivity", &userActivity)
    try visitor.optional("options", &options)
    try visitor.optional("environment", &environment)
  }

  /// The activated session.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var session: SessionIdentifier = .none
    package var isNew: Bool = false

    package init() {}

    package init(session: SessionIdentifier, isNew: Bool = false) {
      self.session = session
      self.isNew = isNew
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("session", &session)
      try visitor.required("isNew", &isNew)
    }
  }
}

package struct ActivationOptions: JSONStructure, Equatable, Sendable {
  package var requestingScene: SessionIdentifier?
  /// The content to show. Without a named session, the activation conditions select the session.
  package var targetContentIdentifier: String?
  /// Whether the scene stays in the background.
  package var background = false

  package init() {}

  package init(
    requestingScene: SessionIdentifier? = nil, targetContentIdentifier: String? = nil,
    background: Bool = false
  ) {
    self.requestingScene = requestingScene
    self.targetContentIdentifier = targetContentIdentifier
    self.background = background
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("requestingScene", &requestingScene)
    try visitor.optional("targetContentIdentifier", &targetContentIdentifier)
    try visitor.optional("background", &background, otherwise: false)
  }
}

/// Tells scenes that their content has changed, also in the background. The broker answers when
/// they have refreshed.
package struct RequestRefresh: RequestMessage {
  package static var method: StaticString { "application/requestSceneSessionRefresh" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var sessions: [SessionIdentifier]?
  /// Selects the sessions whose `userInfo` has these members.
  package var matching: OpaqueObject?
  /// Whether sessions without a scene get one for the refresh.
  package var open = false

  package init() {}

  package init(
    sessions: [SessionIdentifier]? = nil, matching: OpaqueObject? = nil, open: Bool = false
  ) {
    self.sessions = sessions
    self.matching = matching
    self.open = open
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("sessions", &sessions)
    try visitor.optional("where", &matching)
    try visitor.optional("open", &open, otherwise: false)
  }

  /// The sessions whose scenes have refreshed.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var sessions: [SessionIdentifier] = []

    package init() {}

    package init(sessions: [SessionIdentifier] = []) {
      self.sessions = sessions
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("sessions", &sessions)
    }
  }
}

/// Delivers something to the scene that its content belongs to. The broker activates that scene, or
/// makes one. It answers when the scene has acknowledged the delivery, was diverted or was refused.
package struct ApplicationOpen: RequestMessage {
  package static var method: StaticString { "application/open" }
  package static var permission: Permission { .changers }

  package var urlContexts: [OpenURLContext] = []
  package var userActivity: Activity?
  /// The activity comes from another device. A scene that connects for it gets its type first.
  package var handoff = false
  package var notificationResponse: NotificationResponse?
  package var shortcutItem: ShortcutItem?
  /// The identifier of the content; nil takes that of the content.
  package var targetContentIdentifier: String?
  /// The session that gets the content; nil for a choice by the identifier of the content.
  package var session: SessionIdentifier?
  /// Whether the reply precedes the scene's acknowledgement, if the session exists.
  package var noWait = false
  /// The configuration of a new session.
  package var configuration: String?
  /// The variables of the requester's login. Only a control has them.
  package var environment: LoginEnvironment?

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("urlContexts", &urlContexts, otherwise: [])
    try visitor.optional("userActivity", &userActivity)
    try visitor.optional("handoff", &handoff, otherwise: false)
    try visitor.optional("notificationResponse", &notificationResponse)
    try visitor.optional("shortcutItem", &shortcutItem)
    try visitor.optional("targetContentIdentifier", &targetContentIdentifier)
    try visitor.optional("session", &session)
    try visitor.optional("noWait", &noWait, otherwise: false)
    try visitor.optional("configuration", &configuration)
    try visitor.optional("environment", &environment)
  }

  package typealias Reply = RequestActivation.Reply
}

extension ApplicationOpen {
  package init(_ content: OpenedContent) {
    switch content {
    case .urls(let contexts): urlContexts = contexts
    case .activity(let activity): userActivity = activity
    case .handoff(let activity): (userActivity, handoff) = (activity, true)
    case .notification(let response): notificationResponse = response
    case .shortcut(let item): shortcutItem = item
    }
  }

  /// The content; nil unless the request has exactly one.
  package var content: OpenedContent? {
    var all: [OpenedContent] = urlContexts.isEmpty ? [] : [.urls(urlContexts)]
    if let userActivity { all.append(handoff ? .handoff(userActivity) : .activity(userActivity)) }
    if let notificationResponse { all.append(.notification(notificationResponse)) }
    if let shortcutItem { all.append(.shortcut(shortcutItem)) }
    return all.count == 1 ? all[0] : nil
  }
}

/// Content that an application can open.
package enum OpenedContent: Equatable, Sendable {
  case urls([OpenURLContext])
  case activity(Activity)
  /// From another device.
  case handoff(Activity)
  case notification(NotificationResponse)
  case shortcut(ShortcutItem)

  /// The reason of a connect that delivers this.
  package var reason: ConnectReason {
    switch self {
    case .urls: .url
    case .activity, .handoff: .continuation
    case .notification: .notification
    case .shortcut: .shortcut
    }
  }

  package var targetContentIdentifier: String? {
    switch self {
    case .urls: nil
    case .activity(let activity), .handoff(let activity): activity.targetContentIdentifier
    case .notification(let response): response.targetContentIdentifier
    case .shortcut(let item): item.targetContentIdentifier
    }
  }

  /// The first URL, which selects the configuration of content without an identifier.
  package var url: String? {
    switch self {
    case .urls(let contexts): contexts.first?.url
    case .activity(let activity), .handoff(let activity): activity.webpageURL
    case .notification, .shortcut: nil
    }
  }

  /// The options of a connect that delivers this.
  package var options: ConnectionOptions {
    var options = ConnectionOptions()
    switch self {
    case .urls(let contexts):
      options.urlContexts = contexts
      options.sourceApplication = contexts.lazy.compactMap(\.options.sourceApplication).first
    case .activity(let activity): options.userActivities = [activity]
    case .handoff(let activity): options.handoffUserActivityType = activity.type
    case .notification(let response): options.notificationResponse = response
    case .shortcut(let item): options.shortcutItem = item
    }
    return options
  }

  /// The callbacks for a scene that is connected.
  package func callbacks(to session: SessionIdentifier) -> [Callback] {
    switch self {
    case .urls(let contexts):
      [Callback(.openURLContexts, OpenURLContexts(session: session, urlContexts: contexts))]
    case .activity(let activity), .handoff(let activity):
      // The type of the activity comes first.
      [
        Callback(
          .willContinueUserActivity,
          WillContinueUserActivity(session: session, activityType: activity.type)),
        Callback(
          .continueUserActivity, UserActivityMessage(session: session, userActivity: activity)),
      ]
    case .notification(let response):
      [
        Callback(
          .didReceiveNotificationResponse,
          DidReceiveNotificationResponse(session: session, notificationResponse: response))
      ]
    case .shortcut(let item):
      [
        Callback(
          .performActionForShortcutItem,
          PerformActionForShortcutItem(session: session, shortcutItem: item))
      ]
    }
  }
}

extension CallbackKind {
  /// Whether the callback belongs to the delivery of content to a connected scene.
  package var deliversContent: Bool {
    switch self {
    case .openURLContexts, .willContinueUserActivity, .continueUserActivity,
      .didReceiveNotificationResponse, .performActionForShortcutItem:
      true
    default: false
    }
  }
}

extension Callback {
  /// The content that the callback delivers; nil for other callbacks.
  package var content: OpenedContent? {
    guard kind.deliversContent else { return nil }
    switch message {
    case let message as OpenURLContexts: return .urls(message.urlContexts)
    case let message as UserActivityMessage: return .activity(message.userActivity)
    case let message as DidReceiveNotificationResponse:
      return .notification(message.notificationResponse)
    case let message as PerformActionForShortcutItem: return .shortcut(message.shortcutItem)
    default: return nil
    }
  }
}

extension ConnectionOptions {
  /// The options for several contents. There is at most one notification and one shortcut.
  package init(_ contents: [OpenedContent]) {
    self.init()
    for options in contents.map(\.options) {
      urlContexts += options.urlContexts
      userActivities += options.userActivities
      notificationResponse = options.notificationResponse ?? notificationResponse
      shortcutItem = options.shortcutItem ?? shortcutItem
    }
  }

  /// The content that the scene opens. Of a handoff, the options have only the type.
  package var contents: [OpenedContent] {
    var contents: [OpenedContent] = urlContexts.isEmpty ? [] : [.urls(urlContexts)]
    contents += userActivities.map { .activity($0) }
    if let notificationResponse { contents.append(.notification(notificationResponse)) }
    if let shortcutItem { contents.append(.shortcut(shortcutItem)) }
    return contents
  }
}

/// Returns which session a target content identifier selects, and why. It opens nothing.
package struct ApplicationRoute: RequestMessage {
  package static var method: StaticString { "application/route" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package var targetContentIdentifier = ""

  package init() {}

  package init(targetContentIdentifier: String) {
    self.targetContentIdentifier = targetContentIdentifier
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("targetContentIdentifier", &targetContentIdentifier)
  }

  /// The candidates, in the order in which the broker would take them.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var candidates: [RouteCandidate] = []
    /// Whether the reply has no room for more candidates.
    package var more = false
    /// Nil if the broker would make a new session.
    package var chosen: SessionIdentifier?
    /// The configuration of the new session, if its `handles` match the identifier.
    package var configuration: String?

    package init() {}

    package init(
      candidates: [RouteCandidate], more: Bool = false, chosen: SessionIdentifier? = nil
    ) {
      self.candidates = candidates
      self.more = more
      self.chosen = chosen
    }

    package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("candidates", &candidates)
      try visitor.optional("more", &more, otherwise: false)
      try visitor.optional("chosen", &chosen)
      try visitor.optional("configuration", &configuration)
    }
  }
}

/// A session that could show the content.
package struct RouteCandidate: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var name: String?
  package var state: ActivationState = .unattached
  package var prefers = false
  package var can = false
  /// Milliseconds since 1970: the last use, or now for an active scene.
  package var lastActive: Int64 = 0
  /// Nil for the default conditions.
  package var activationConditions: ActivationConditionTexts?

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("session", &session)
    try visitor.required("name", &name)
    try visitor.required("state", &state)
    try visitor.required("prefers", &prefers)
    try visitor.required("can", &can)
    try visitor.required("lastActive", &lastActive)
    try visitor.optional("activationConditions", &activationConditions)
  }
}
