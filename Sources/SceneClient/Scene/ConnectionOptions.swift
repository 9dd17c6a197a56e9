package import SceneModel

extension Scene {
  /// The reason and the content of a connection. Corresponds to `UIScene.ConnectionOptions`.
  public struct ConnectionOptions: Hashable, Sendable {
    /// The reason of the connection.
    public enum Reason: String, Hashable, Sendable {
      /// The session never had a scene.
      case launch
      /// The last scene was disconnected in order.
      case restore
      /// The last scene was lost, or disconnected for an error.
      case recover
      /// A user or a program activated the session.
      case activation
      /// A URL was opened.
      case url
      /// An activity continues.
      case continuation
      /// The user responded to a notification.
      case notification
      /// The user chose a shortcut.
      case shortcut
      /// The content of the scene may be out of date.
      case refresh
      /// Another reason, of a newer broker.
      case unknown

      init(_ reason: ConnectReason) { self = Self(rawValue: reason.rawValue) ?? .unknown }
    }

    /// The activities to continue. They take precedence over the saved activity. Corresponds to
    /// `UIScene.ConnectionOptions.userActivities`.
    public let userActivities: [UserActivity]
    /// The URLs to open. Corresponds to `UIScene.ConnectionOptions.urlContexts`.
    public let urlContexts: Set<OpenURLContext>
    /// The first URL of the request.
    let firstURL: String?
    /// The type of an activity from another device, which follows in
    /// ``SceneDelegate/scene(_:continue:)``; nil if none follows. Corresponds to
    /// `UIScene.ConnectionOptions.handoffUserActivityType`.
    public let handoffUserActivityType: String?
    /// The user's response to a notification; nil if there is none. Corresponds to
    /// `UIScene.ConnectionOptions.notificationResponse`.
    public let notificationResponse: NotificationResponse?
    /// The shortcut that the user chose; nil if there is none. Corresponds to
    /// `UIScene.ConnectionOptions.shortcutItem`.
    public let shortcutItem: ApplicationShortcutItem?
    /// The program that requested the scene; nil if unknown. Corresponds to
    /// `UIScene.ConnectionOptions.sourceApplication`.
    public let sourceApplication: String?
    /// The reason of the connection.
    public let reason: Reason
    /// Whether the session is new.
    public let isNew: Bool
    /// The name of a configuration that the manifest lacks: the requested one, or that of the
    /// session. The scene then has the first configuration of the role. Nil for most connections.
    public let missingConfiguration: String?
    /// The end of the session's last scene; nil for the first scene.
    public let lastEnd: LastEnd?

    package init(_ message: WillConnect) {
      self.init(
        message.options, Reason(message.reason), isNew: message.isNew,
        missingConfiguration: message.missingConfiguration,
        (message.lastEnd?.content).map(LastEnd.init))
    }

    /// The options of a session that does not exist yet; its reason follows from its content.
    package init(_ options: SceneModel.ConnectionOptions) {
      let reasons = options.contents.map(\.reason)
      let isContinued = !reasons.isEmpty || options.handoffUserActivityType != nil
      let reason = reasons.first { $0 != .continuation } ?? (isContinued ? .continuation : .launch)
      self.init(options, Reason(reason), isNew: true)
    }

    private init(
      _ options: SceneModel.ConnectionOptions, _ reason: Reason, isNew: Bool,
      missingConfiguration: String? = nil, _ lastEnd: LastEnd? = nil
    ) {
      userActivities = options.userActivities.map(UserActivity.init)
      urlContexts = Set(options.urlContexts.map(OpenURLContext.init))
      firstURL = options.urlContexts.first?.url
      handoffUserActivityType = options.handoffUserActivityType
      notificationResponse = options.notificationResponse.map(NotificationResponse.init)
      shortcutItem = options.shortcutItem.map(ApplicationShortcutItem.init)
      sourceApplication = options.sourceApplication
      self.reason = reason
      self.isNew = isNew
      self.missingConfiguration = missingConfiguration
      self.lastEnd = lastEnd
    }
  }
}
