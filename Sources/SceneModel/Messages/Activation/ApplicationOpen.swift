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
  /// The configuration of a new session.
  package var configuration: String?
  /// The variables of the requester's login. Only a control has them.
  package var environment: LoginEnvironment?

  package init() {}

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.optional("urlContexts", &urlContexts, otherwise: [])
    try visitor.optional("userActivity", &userActivity)
    try visitor.optional("handoff", &handoff, otherwise: false)
    try visitor.optional("notificationResponse", &notificationResponse)
    try visitor.optional("shortcutItem", &shortcutItem)
    try visitor.optional("targetContentIdentifier", &targetContentIdentifier)
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
}
