/// The delegate of a classic application: one window, and calls for the application instead of a
/// scene. Corresponds to `UIApplicationDelegate`.
///
/// The manifest of a classic application is a property list without scenes. A delegate class with
/// both sets of methods serves both kinds of application. With scenes, only the methods of
/// ``SceneDelegate`` are called; without scenes, only these. The manual's page Coming from UIKit
/// pairs them. ``SceneDelegate/stateRestorationActivity(for:)`` is called in both.
///
/// Every method is optional. Effects, order and time limits are those of ``SceneDelegate``.
public protocol ClassicApplicationDelegate: SceneDelegate, ApplicationLifeCycle {
  /// The window, from before `application(_:didFinishLaunchingWithOptions:)` until after
  /// ``ApplicationLifeCycle/applicationWillTerminate(_:)``. Corresponds to
  /// `UIApplicationDelegate.window`.
  var window: Scene? { get set }

  /// The window will become visible again, after
  /// ``applicationDidEnterBackground(_:)``. Corresponds to
  /// `UIApplicationDelegate.applicationWillEnterForeground(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged, and the application continues.
  func applicationWillEnterForeground(_ application: SceneApplication) async throws
  /// The application takes input. Corresponds to
  /// `UIApplicationDelegate.applicationDidBecomeActive(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged, and the application continues.
  func applicationDidBecomeActive(_ application: SceneApplication) async throws
  /// The application will stop taking input. Corresponds to
  /// `UIApplicationDelegate.applicationWillResignActive(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged, and the application continues.
  func applicationWillResignActive(_ application: SceneApplication) async throws
  /// The window is no longer visible. The application may end from now on. Corresponds to
  /// `UIApplicationDelegate.applicationDidEnterBackground(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged, and the application continues.
  func applicationDidEnterBackground(_ application: SceneApplication) async throws
  /// An activity will arrive; its type is known before. Corresponds to
  /// `UIApplicationDelegate.application(_:willContinueUserActivityWithType:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - userActivityType: the type of the activity.
  /// - Returns: Whether the application continues the activity. The library does not use it.
  /// - Throws: Any error is logged, and the application continues.
  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) async throws -> Bool
  /// An activity arrives that the application continues. Corresponds to
  /// `UIApplicationDelegate.application(_:continue:restorationHandler:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - userActivity: the activity.
  ///   - restorationHandler: passes the activity to objects that restore a part of it.
  /// - Returns: Whether the application has continued the activity. The library does not use it.
  /// - Throws: Any error is logged, and the application continues.
  func application(
    _ application: SceneApplication, continue userActivity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) async throws -> Bool
  /// The broker has saved the activity that the application returned. Corresponds to
  /// `UIApplicationDelegate.application(_:didUpdate:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - userActivity: the saved activity.
  /// - Throws: Any error is logged, and the application continues.
  func application(_ application: SceneApplication, didUpdate userActivity: UserActivity)
    async throws
  /// A URL arrives that the application opens. Several URLs arrive in their order. Corresponds to
  /// `UIApplicationDelegate.application(_:open:options:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - url: the URL.
  ///   - options: the options of the URL; `openInPlace` is always present.
  /// - Returns: Whether the application has opened the URL. The library does not use it.
  /// - Throws: Any error is logged, and the application continues.
  func application(
    _ application: SceneApplication, open url: String,
    options: [SceneApplication.OpenURLOptionsKey: Any]
  ) async throws -> Bool
  /// The user chose a shortcut. Corresponds to
  /// `UIApplicationDelegate.application(_:performActionFor:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - shortcutItem: the shortcut.
  /// - Returns: Whether the application has handled the shortcut. The library does not use it.
  /// - Throws: Any error is logged, and the application continues.
  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
  ) async throws -> Bool
  /// The user responded to a notification. Corresponds to
  /// `UNUserNotificationCenterDelegate.userNotificationCenter(_:didReceive:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - response: the response.
  /// - Throws: Any error is logged, and the application continues.
  func application(_ application: SceneApplication, didReceive response: NotificationResponse)
    async throws
}

extension ClassicApplicationDelegate {
  public func applicationWillEnterForeground(_ application: SceneApplication) async throws {}
  public func applicationDidBecomeActive(_ application: SceneApplication) async throws {}
  public func applicationWillResignActive(_ application: SceneApplication) async throws {}
  public func applicationDidEnterBackground(_ application: SceneApplication) async throws {}
  public func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) async throws -> Bool { false }
  public func application(
    _ application: SceneApplication, continue userActivity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) async throws -> Bool { false }
  public func application(
    _ application: SceneApplication, didUpdate userActivity: UserActivity
  ) async throws {}
  public func application(
    _ application: SceneApplication, open url: String,
    options: [SceneApplication.OpenURLOptionsKey: Any]
  ) async throws -> Bool { false }
  public func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
  ) async throws -> Bool { false }
  public func application(
    _ application: SceneApplication, didReceive response: NotificationResponse
  ) async throws {}
}

/// An object that restores a part of an activity. Corresponds to `UIUserActivityRestoring`.
public protocol UserActivityRestoring: AnyObject {
  /// Restores the state of the object from an activity. Corresponds to
  /// `UIUserActivityRestoring.restoreUserActivityState(_:)`.
  ///
  /// - Parameter userActivity: the activity.
  func restoreUserActivityState(_ userActivity: UserActivity)
}
