extension ApplicationProcess {
  /// The key of a value in the launch options. Corresponds to `UIApplication.LaunchOptionsKey`.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key. Corresponds to `UIApplication.LaunchOptionsKey.rawValue`.
    public let rawValue: String

    /// Makes a key from its name. Corresponds to `UIApplication.LaunchOptionsKey.init(rawValue:)`.
    ///
    /// - Parameter rawValue: the name of the key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first URL to open: a `String`. Corresponds to `UIApplication.LaunchOptionsKey.url`.
    public static let url = LaunchOptionsKey(rawValue: "url")
    /// A shortcut that the user chose: an ``ApplicationShortcutItem``. Corresponds to
    /// `UIApplication.LaunchOptionsKey.shortcutItem`.
    public static let shortcutItem = LaunchOptionsKey(rawValue: "shortcutItem")
    /// The first activity to continue: a ``UserActivity``. Corresponds to
    /// `UIApplication.LaunchOptionsKey.userActivityDictionary`.
    public static let userActivity = LaunchOptionsKey(rawValue: "userActivity")
    /// The user's response to a notification: a ``NotificationResponse``. Corresponds to
    /// `UIApplication.LaunchOptionsKey.remoteNotification`.
    public static let notificationResponse = LaunchOptionsKey(rawValue: "notificationResponse")
    /// The application that requested the launch: a `String`. Corresponds to
    /// `UIApplication.LaunchOptionsKey.sourceApplication`.
    public static let sourceApplication = LaunchOptionsKey(rawValue: "sourceApplication")
  }
}

extension SceneApplication {
  /// The key of a value in the launch options of a classic application. Corresponds to
  /// `UIApplication.LaunchOptionsKey`.
  public typealias LaunchOptionsKey = ApplicationProcess.LaunchOptionsKey

  /// The key of a value in the options of a URL. Corresponds to
  /// `UIApplication.OpenURLOptionsKey`.
  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key. Corresponds to `UIApplication.OpenURLOptionsKey.rawValue`.
    public let rawValue: String

    /// Makes a key from its name. Corresponds to `UIApplication.OpenURLOptionsKey.init(rawValue:)`.
    ///
    /// - Parameter rawValue: the name of the key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The application that opened the URL: a `String`. Corresponds to
    /// `UIApplication.OpenURLOptionsKey.sourceApplication`.
    public static let sourceApplication = OpenURLOptionsKey(rawValue: "sourceApplication")
    /// Whether the file of the URL can be used in place, without a copy: a `Bool`. Corresponds to
    /// `UIApplication.OpenURLOptionsKey.openInPlace`.
    public static let openInPlace = OpenURLOptionsKey(rawValue: "openInPlace")
    /// Any JSON value of the program that opens the URL, as text: a `String`. Corresponds to
    /// `UIApplication.OpenURLOptionsKey.annotation`.
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
