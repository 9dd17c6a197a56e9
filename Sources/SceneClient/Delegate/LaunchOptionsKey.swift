extension ApplicationProcess {
  /// The key of a value in the launch options. Corresponds to UIKit's
  /// UIApplication.LaunchOptionsKey.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// A key by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A URL to open: a `String`.
    public static let url = LaunchOptionsKey(rawValue: "url")
    /// A shortcut that the user chose: an ``ApplicationShortcutItem``.
    public static let shortcutItem = LaunchOptionsKey(rawValue: "shortcutItem")
    /// An activity to continue: a ``UserActivity``.
    public static let userActivity = LaunchOptionsKey(rawValue: "userActivity")
    /// The user's response to a notification: a ``NotificationResponse``.
    public static let notificationResponse = LaunchOptionsKey(rawValue: "notificationResponse")
    /// The application that requested the launch: a `String`.
    public static let sourceApplication = LaunchOptionsKey(rawValue: "sourceApplication")
  }
}

extension SceneApplication {
  /// The key of a value in the launch options of a classic application.
  public typealias LaunchOptionsKey = ApplicationProcess.LaunchOptionsKey

  /// The key of a value in the options of a URL. Corresponds to UIKit's
  /// UIApplication.OpenURLOptionsKey.
  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// A key by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The application that opened the URL: a `String`.
    public static let sourceApplication = OpenURLOptionsKey(rawValue: "sourceApplication")
    /// Whether the file of the URL must be copied before it is opened: a `Bool`.
    public static let openInPlace = OpenURLOptionsKey(rawValue: "openInPlace")
    /// Any JSON value of the program that opens the URL, as text: a `String`.
    public static let annotation = OpenURLOptionsKey(rawValue: "annotation")
  }
}

extension Scene.ConnectionOptions {
  /// The options as UIKit's dictionary; nil if they are empty.
  var launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]? {
    var options: [ApplicationProcess.LaunchOptionsKey: Any] = [:]
    options[.url] = urlContexts.first?.url
    options[.shortcutItem] = shortcutItem
    options[.userActivity] = userActivities.first
    options[.notificationResponse] = notificationResponse
    options[.sourceApplication] = sourceApplication
    return options.isEmpty ? nil : options
  }
}
