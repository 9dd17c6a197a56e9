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
  /// The window, from before `application(_:didFinishLaunchingWithOptions:)` until after
  /// ``applicationWillTerminate(_:)``.
  var window: Scene? { get set }

  /// The application has its window, which is not visible yet. An error refuses the window.
  ///
  /// The saved activity is in the window's ``Scene/session``. By default, calls UIKit's two forms;
  /// false from one of them refuses the window.
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) throws
  /// The application launches.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - launchOptions: the content of the launch; nil if there is none.
  /// - Returns: False to refuse the window.
  func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The application has its window. UIKit's form, which can also throw.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - launchOptions: the content of the launch; nil if there is none.
  /// - Returns: False to refuse the window.
  /// - Throws: Any error refuses the window.
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) throws -> Bool
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
  /// An activity of this type will follow. By default, calls UIKit's form.
  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String)
  /// An activity of this type will follow. UIKit's form. The result is not used.
  func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool
  /// Continue this activity. By default, calls UIKit's form.
  func application(_ application: SceneApplication, continue userActivity: UserActivity)
  /// Continue this activity. UIKit's form.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - userActivity: the activity.
  ///   - restorationHandler: passes the activity to objects that restore a part of it.
  /// - Returns: Whether the application has continued the activity. The library does not use it.
  func application(
    _ application: SceneApplication, continue userActivity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool
  /// The activity that the application answered was saved.
  func application(_ application: SceneApplication, didUpdate userActivity: UserActivity)
  /// Open these URLs. By default, calls ``application(_:open:options:)`` for each.
  func application(_ application: SceneApplication, open urlContexts: [OpenURLContext])
  /// Open a URL. UIKit's form; the URL is a `String`. The result is not used.
  func application(
    _ application: SceneApplication, open url: String,
    options: [SceneApplication.OpenURLOptionsKey: Any]
  ) -> Bool
  /// The user chose a shortcut. Returns whether the application has handled it.
  ///
  /// By default, calls ``application(_:performActionFor:completionHandler:)``.
  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool
  /// The user chose a shortcut. UIKit's form with a completion handler, which must be called once,
  /// from any thread.
  func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void)
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
  ) throws {
    let options = launchOptions.launchOptions
    let accepts = self.application(application, willFinishLaunchingWithOptions: options)
    guard try self.application(application, didFinishLaunchingWithOptions: options), accepts else {
      throw SceneError(.requestDenied, "the application declined the launch")
    }
  }
  public func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) throws -> Bool { true }
  public func applicationWillEnterForeground(_ application: SceneApplication) {}
  public func applicationDidBecomeActive(_ application: SceneApplication) {}
  public func applicationWillResignActive(_ application: SceneApplication) {}
  public func applicationDidEnterBackground(_ application: SceneApplication) {}
  public func applicationWillTerminate(_ application: SceneApplication) {}
  public func applicationDidReceiveMemoryWarning(_ application: SceneApplication) {}
  public func applicationSignificantTimeChange(_ application: SceneApplication) {}
  public func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) {
    let _: Bool = self.application(
      application, willContinueUserActivityWithType: userActivityType)
  }
  public func application(
    _ application: SceneApplication, willContinueUserActivityWithType userActivityType: String
  ) -> Bool { false }
  public func application(_ application: SceneApplication, continue userActivity: UserActivity) {
    _ = self.application(application, continue: userActivity) { objects in
      for object in objects ?? [] { object.restoreUserActivityState(userActivity) }
    }
  }
  public func application(
    _ application: SceneApplication, continue userActivity: UserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool { false }
  public func application(_ application: SceneApplication, didUpdate userActivity: UserActivity) {}
  public func application(_ application: SceneApplication, open urlContexts: [OpenURLContext]) {
    for context in urlContexts {
      var options: [SceneApplication.OpenURLOptionsKey: Any] = [
        .openInPlace: context.options.openInPlace
      ]
      options[.sourceApplication] = context.options.sourceApplication
      options[.annotation] = context.options.annotation
      _ = self.application(application, open: context.url, options: options)
    }
  }
  public func application(
    _ application: SceneApplication, open url: String,
    options: [SceneApplication.OpenURLOptionsKey: Any]
  ) -> Bool { false }
  public func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      self.application(application, performActionFor: shortcutItem) {
        continuation.resume(returning: $0)
      }
    }
  }
  public func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    let _: Void = self.application(application, performActionFor: shortcutItem)
    completionHandler(true)
  }
  public func application(
    _ application: SceneApplication, performActionFor shortcutItem: ApplicationShortcutItem
  ) {}
  public func application(
    _ application: SceneApplication, didReceive response: NotificationResponse
  ) {}
}

/// An object that restores a part of an activity. Corresponds to UIKit's UIUserActivityRestoring.
public protocol UserActivityRestoring: AnyObject {
  /// Restores the state of the object from an activity.
  func restoreUserActivityState(_ userActivity: UserActivity)
}
