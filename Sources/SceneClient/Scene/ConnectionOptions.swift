package import SceneModel

extension Scene {
  /// Why a scene is being connected now, beyond where it was.
  public struct ConnectionOptions: Hashable, Sendable {
    /// What brought it. There may be reasons that this version does not know.
    public struct Reason: RawRepresentable, Hashable, Sendable {
      /// As it is called on the wire.
      public let rawValue: String

      /// The reason of this name, whether this version knows it or not.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The session never had a scene before.
      public static let launch = Reason(rawValue: "launch")
      /// Its last scene was disconnected in order.
      public static let restore = Reason(rawValue: "restore")
      /// Its last scene went without a word, or was cut off.
      public static let recover = Reason(rawValue: "recover")
      /// Somebody wants to see it.
      public static let activation = Reason(rawValue: "activation")
      /// A URL was opened.
      public static let url = Reason(rawValue: "url")
      /// An activity is to be continued.
      public static let continuation = Reason(rawValue: "continuation")
      /// A person did something with a notification.
      public static let notification = Reason(rawValue: "notification")
      /// A shortcut was chosen.
      public static let shortcut = Reason(rawValue: "shortcut")
      /// What the scene shows may be out of date.
      public static let refresh = Reason(rawValue: "refresh")
    }

    /// What is to be continued in the scene; comes before where the scene was.
    public let userActivities: [UserActivity]
    /// What is to be opened in the scene.
    public let urlContexts: [OpenURLContext]
    /// The type of an activity that comes from another device. It follows by
    /// ``SceneDelegate/scene(_:continue:)``.
    public let handoffUserActivityType: String?
    /// What a person did with a notification.
    public let notificationResponse: NotificationResponse?
    /// The shortcut that was chosen.
    public let shortcutItem: ApplicationShortcutItem?
    /// The program that wanted it, where it says so.
    public let sourceApplication: String?
    /// What brought the scene.
    public let reason: Reason
    /// Whether the session was made just now.
    public let isNew: Bool
    /// The configuration that was asked for, or that the session was made with, when the manifest
    /// has none of that name; the session's is the role's first then.
    public let missingConfiguration: String?

    package init(_ message: WillConnect) {
      self.init(
        message.options, Reason(rawValue: message.reason.rawValue), isNew: message.isNew,
        missingConfiguration: message.missingConfiguration)
    }

    /// Those of a session that is not there yet: what brings it is what is in them.
    package init(_ options: SceneModel.ConnectionOptions) {
      let reason: Reason =
        if !options.urlContexts.isEmpty {
          .url
        } else if options.notificationResponse != nil {
          .notification
        } else if options.shortcutItem != nil {
          .shortcut
        } else if !options.userActivities.isEmpty || options.handoffUserActivityType != nil {
          .continuation
        } else {
          .launch
        }
      self.init(options, reason, isNew: true)
    }

    private init(
      _ options: SceneModel.ConnectionOptions, _ reason: Reason, isNew: Bool,
      missingConfiguration: String? = nil
    ) {
      userActivities = options.userActivities.map(UserActivity.init)
      urlContexts = options.urlContexts.map(OpenURLContext.init)
      handoffUserActivityType = options.handoffUserActivityType
      notificationResponse = options.notificationResponse.map(NotificationResponse.init)
      shortcutItem = options.shortcutItem.map(ApplicationShortcutItem.init)
      sourceApplication = options.sourceApplication
      self.reason = reason
      self.isNew = isNew
      self.missingConfiguration = missingConfiguration
    }
  }
}

extension Scene.ConnectionOptions.Reason: CustomStringConvertible {
  public var description: String { rawValue }
}
