/// The methods for the launch, the end and the notices of an application. Corresponds to
/// `UIApplicationDelegate`.
///
/// An ``ApplicationDelegate`` receives them in its own process, and a
/// ``ClassicApplicationDelegate`` for its window. Every method is optional.
public protocol ApplicationLifeCycle: AnyObject, SendableMetatype {
  /// The application launches. Corresponds to
  /// `UIApplicationDelegate.application(_:willFinishLaunchingWithOptions:)`.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - launchOptions: the content of the launch of a window; nil if there is none, and for an
  ///     ``ApplicationDelegate``.
  /// - Returns: False to refuse the window, or the content of the launch.
  /// - Throws: Any error refuses the window, or the content of the launch.
  func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) async throws -> Bool
  /// The application has launched: do one-time work here. Corresponds to
  /// `UIApplicationDelegate.application(_:didFinishLaunchingWithOptions:)`.
  ///
  /// A classic application has its window, which is not visible yet. The saved activity is in the
  /// window's ``Scene/session``. An ``ApplicationDelegate`` has the content of the launch if a
  /// request waits for it. If it declines the content, the broker refuses to open it, and connects
  /// a scene without its options.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - launchOptions: the content of the launch; nil if there is none.
  /// - Returns: False to refuse the window, or the content of the launch.
  /// - Throws: Any error refuses the window, or the content of the launch.
  func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) async throws -> Bool
  /// The memory is short: release data that can be made again. If the window of a classic
  /// application is in the background, the broker disconnects it next. Corresponds to
  /// `UIApplicationDelegate.applicationDidReceiveMemoryWarning(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged, and the application continues.
  func applicationDidReceiveMemoryWarning(_ application: SceneApplication) async throws
  /// The day or the time zone has changed, or the clock was set. Corresponds to
  /// `UIApplicationDelegate.applicationSignificantTimeChange(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged, and the application continues.
  func applicationSignificantTimeChange(_ application: SceneApplication) async throws
  /// The application of an ``ApplicationDelegate`` ends within a second, and all scenes have ended.
  /// The window of a classic application has ended, and the process may get a new one later.
  /// Corresponds to `UIApplicationDelegate.applicationWillTerminate(_:)`.
  ///
  /// - Parameter application: the application.
  /// - Throws: Any error is logged.
  func applicationWillTerminate(_ application: SceneApplication) async throws
}

extension ApplicationLifeCycle {
  public func application(
    _ application: SceneApplication,
    willFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) async throws -> Bool { true }
  public func application(
    _ application: SceneApplication,
    didFinishLaunchingWithOptions launchOptions: [SceneApplication.LaunchOptionsKey: Any]?
  ) async throws -> Bool { true }
  public func applicationDidReceiveMemoryWarning(
    _ application: SceneApplication
  ) async throws {}
  public func applicationSignificantTimeChange(_ application: SceneApplication) async throws {}
  public func applicationWillTerminate(_ application: SceneApplication) async throws {}
}
