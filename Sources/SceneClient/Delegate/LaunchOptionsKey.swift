extension SceneApplication {
  /// The key of a value in the launch options. Corresponds to `UIApplication.LaunchOptionsKey`.
  public enum LaunchOptionsKey: Hashable, Sendable {
    /// The first URL to open: a `String`. Corresponds to `UIApplication.LaunchOptionsKey.url`.
    case url
    /// A shortcut that the user chose: an ``ApplicationShortcutItem``. Corresponds to
    /// `UIApplication.LaunchOptionsKey.shortcutItem`.
    case shortcutItem
    /// The first activity to continue: a ``UserActivity``. Corresponds to
    /// `UIApplication.LaunchOptionsKey.userActivityDictionary`.
    case userActivity
    /// The user's response to a notification: a ``NotificationResponse``. Corresponds to
    /// `UIApplication.LaunchOptionsKey.remoteNotification`.
    case notificationResponse
    /// The application that requested the launch: a `String`. Corresponds to
    /// `UIApplication.LaunchOptionsKey.sourceApplication`.
    case sourceApplication
  }

  /// The key of a value in the options of a URL. Corresponds to
  /// `UIApplication.OpenURLOptionsKey`.
  public enum OpenURLOptionsKey: Hashable, Sendable {
    /// The application that opened the URL: a `String`. Corresponds to
    /// `UIApplication.OpenURLOptionsKey.sourceApplication`.
    case sourceApplication
    /// Whether the file of the URL can be used in place, without a copy: a `Bool`. Corresponds to
    /// `UIApplication.OpenURLOptionsKey.openInPlace`.
    case openInPlace
    /// Any JSON value of the program that opens the URL, as text: a `String`. Corresponds to
    /// `UIApplication.OpenURLOptionsKey.annotation`.
    case annotation
  }
}

extension Scene.ConnectionOptions {
  /// The options as UIKit's dictionary; nil if they are empty.
  var launchOptions: [SceneApplication.LaunchOptionsKey: Any]? {
    var options: [SceneApplication.LaunchOptionsKey: Any] = [:]
    options[.url] = firstURL
    options[.shortcutItem] = shortcutItem
    options[.userActivity] = userActivities.first
    options[.notificationResponse] = notificationResponse
    options[.sourceApplication] = sourceApplication
    return options.isEmpty ? nil : options
  }
}
