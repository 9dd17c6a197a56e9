/// The delegate of a classic application: one window, and calls for the application instead of a
/// scene.
///
/// The manifest of a classic application is a property list without scenes. A delegate class with
/// both sets of methods serves both kinds of application. With scenes, only the methods of
/// ``SceneDelegate`` are called; without scenes, only these. The manual's page Coming from UIKit
/// pairs them. ``SceneDelegate/stateRestorationActivity(for:)`` is called in both.
///
/// Every method is optional. Order and time limits are those of ``SceneDelegate``.
public protocol ClassicApplicationDelegate: SceneDelegate {
  /// The window, from before ``application(_:didFinishLaunchingWithOptions:)`` until after
  /// ``applicationWillTerminate(_:)``.
  var window: Scene? { get set }

  /// The application has its window, which is not visible yet. An error refuses the window.
  ///
  /// The saved activity is in the window's ``Scene/session``.
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) throws
  /// The window will become visible.
  func applicationWillEnterForeground(_ application: SceneApplication)
  /// The application takes input.
  func applicationDidBecomeActive(_ application: SceneApplication)
  /// The application will stop taking input.
  func applicationWillResignActive(_ application: SceneApplication)
  /// The window is no longer visible. The application may end from now on.
  func applicationDidEnterBackground(_ application: SceneApplication)
  /// The window has ended. The process may get a new one later.
  func applicationWillTerminate(_ application: SceneApplication)
  /// The memory is short: release data that can be made again. If the window is in the background,
  /// the broker disconnects it next.
  func applicationDidReceiveMemoryWarning(_ application: SceneApplication)
  /// The day or the time zone has changed, or the clock was set.
  func applicationSignificantTimeChange(_ application: SceneApplication)
  /// An activity of this type will follow.
  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String)
  /// Continue this activity.
  func application(_ application: SceneApplication, continue userActivity: UserActivity)
  /// The activity that the application answered was saved.
  func application(_ application: SceneApplication, didUpdate userActivity: UserActivity)
  /// Open these URLs.
  func application(_ application: SceneApplication, open urlContexts: [OpenURLContext])
  /// The user chose a shortcut.
  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem)
  /// The user responded to a notification.
  func application(_ application: SceneApplication, didReceive response: NotificationResponse)
}

extension ClassicApplicationDelegate {
  public func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) throws {}
  public func applicationWillEnterForeground(_ application: SceneApplication) {}
  public func applicationDidBecomeActive(_ application: SceneApplication) {}
  public func applicationWillResignActive(_ application: SceneApplication) {}
  public func applicationDidEnterBackground(_ application: SceneApplication) {}
  public func applicationWillTerminate(_ application: SceneApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: SceneApplication) {}
  public func applicationSignificantTimeChange(_ application: SceneApplication) {}
  public func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) {}
  public func application(_ application: SceneApplication, continue userActivity: UserActivity) {}
  public func application(_ application: SceneApplication, didUpdate userActivity: UserActivity) {}
  public func application(_ application: SceneApplication, open urlContexts: [OpenURLContext]) {}
  public func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
  ) {}
  public func application(
    _ application: SceneApplication, didReceive response: NotificationResponse
  ) {}
}
