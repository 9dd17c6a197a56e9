/// What an application of before scenes does at the turns of its life: one window, and calls that are
/// the application's.
///
/// Its manifest is a property list that says nothing of scenes. A delegate class that has both sets of
/// methods serves both kinds of application: with scenes the methods of ``SceneDelegate`` are called,
/// without them these, never both. The manual's page Coming from UIKit pairs them.
/// ``SceneDelegate/stateRestorationActivity(for:)`` is asked in both.
///
/// Every method is optional. When they are called, and how long they may take, is as for
/// ``SceneDelegate``.
public protocol ClassicApplicationDelegate: SceneDelegate {
  /// The one window, from before ``application(_:didFinishLaunchingWithOptions:)``
  /// until ``applicationWillTerminate(_:)`` has returned.
  var window: Scene? { get set }

  /// The application has its window, which is not visible yet. Throwing refuses it.
  ///
  /// Where the window was stands in its ``Scene/session``.
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) throws
  /// The window is about to be visible.
  func applicationWillEnterForeground(_ application: SceneApplication)
  /// The application takes input.
  func applicationDidBecomeActive(_ application: SceneApplication)
  /// The application is about to take no more input.
  func applicationWillResignActive(_ application: SceneApplication)
  /// The window is not visible any more. The application may end from now on.
  func applicationDidEnterBackground(_ application: SceneApplication)
  /// The window is over; the process may be given it again, and then it begins anew.
  func applicationWillTerminate(_ application: SceneApplication)
  /// Memory is short: release what can be made again. If the window is in the background, the broker
  /// disconnects it next.
  func applicationDidReceiveMemoryWarning(_ application: SceneApplication)
  /// It is another day or another time zone, or the clock was set.
  func applicationSignificantTimeChange(_ application: SceneApplication)
  /// An activity of this type is about to be continued.
  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String)
  /// The activity is to be continued.
  func application(_ application: SceneApplication, continue userActivity: UserActivity)
  /// The activity that was answered when the application was asked for one is kept.
  func application(_ application: SceneApplication, didUpdate userActivity: UserActivity)
  /// URLs are to be opened.
  func application(_ application: SceneApplication, open urlContexts: [OpenURLContext])
  /// A shortcut was chosen.
  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem)
  /// A person did something with a notification.
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
