/// Decides for the whole application, in its own process.
///
/// Corresponds to UIKit's UIApplicationDelegate.
///
/// Every method is optional. The methods run one at a time, on one queue of the library. A call has
/// 5 s, unless the manifest sets another time. After that time the broker continues without the
/// answer.
///
/// `applicationDelegate` in the manifest, or `scened --application-delegate`, sets the delegate's
/// part. By default it is `optional`. With `builtIn` the broker launches the delegate and tells it
/// of scenes, but does not ask for configurations, and does not report discards.
public protocol ApplicationDelegate: AnyObject, SendableMetatype {
  /// The application launches. UIKit's form of ``applicationWillFinishLaunching(_:)``, which it
  /// calls by default.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - launchOptions: nil: the reason of the launch comes with
  ///     `application(_:didFinishLaunchingWithOptions:)`.
  /// - Returns: False to decline the content of the launch.
  func application(
    _ application: ApplicationProcess,
    willFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The application launches. There is no scene yet, unless it existed before this delegate.
  func applicationWillFinishLaunching(_ application: ApplicationProcess)
  /// The application has launched: do one-time work here.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - launchOptions: the reason of the launch, if a request waits for it.
  /// - Returns: False to decline the reason: the broker refuses to open the content, and connects
  ///   a scene without its options.
  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) -> Bool
  /// The application has launched. UIKit's form of
  /// `application(_:didFinishLaunchingWithOptions:)` with `Scene.ConnectionOptions`, which calls it
  /// by default.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - launchOptions: the content of the launch; nil if there is none.
  /// - Returns: False to decline the content.
  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
  ) -> Bool
  /// Chooses the configuration of a new session. The broker asks once for each session, when it is
  /// made. Corresponds to UIKit's method of the same name.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - connectingSceneSession: the new session. Its ``SceneSession/userInfo`` can be set.
  ///   - options: the reason of the session.
  /// - Returns: The configuration. A configuration with only a name is that of the manifest, or
  ///   the first of the role if the manifest has none. A configuration without a name is the first
  ///   of the role, with the given members. The unchanged configuration of the session leaves the
  ///   choice to the manifest.
  /// - Throws: Any error leaves the choice to the manifest.
  func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration
  /// The same, in the form from when a session was a value. By default it calls the other method.
  func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: inout SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration
  /// The broker has discarded sessions; each has its last activity. Data of these sessions can be
  /// removed.
  ///
  /// The report may be repeated if this process or the broker ends before the answer;
  /// ``application(_:didDiscardSceneSessions:in:)`` has its identifier.
  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  )
  /// The same, with the report. By default it calls the method without the report.
  ///
  /// - Throws: Any error, to receive the report again after the next launch.
  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>,
    in report: DiscardReport
  ) throws
  /// A client has connected the scene of a session.
  func application(
    _ application: ApplicationProcess, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  )
  /// A scene has ended in any client. Its session may connect again.
  func application(
    _ application: ApplicationProcess, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  )
  /// The process of a lost scene has ended. The broker had launched it and knows its exit. Follows
  /// ``application(_:sceneDidDisconnect:reason:)``.
  func application(
    _ application: ApplicationProcess, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  )
  /// The memory is short.
  func applicationDidReceiveMemoryWarning(_ application: ApplicationProcess)
  /// The day has changed, or the clock was set.
  func applicationSignificantTimeChange(_ application: ApplicationProcess)
  /// The application ends within a second; all scenes have ended.
  func applicationWillTerminate(_ application: ApplicationProcess)
}

extension ApplicationDelegate {
  public func applicationWillFinishLaunching(_ application: ApplicationProcess) {}
  public func application(
    _ application: ApplicationProcess,
    willFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
  ) -> Bool {
    applicationWillFinishLaunching(application)
    return true
  }
  public func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) -> Bool {
    self.application(
      application, didFinishLaunchingWithOptions: launchOptions.launchOptions)
  }
  public func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: [ApplicationProcess.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration { connectingSceneSession.configuration }
  public func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: inout SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration {
    let session = connectingSceneSession
    return try self.application(
      application, configurationForConnecting: session, options: options)
  }
  public func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  ) {}
  public func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>,
    in report: DiscardReport
  ) throws { self.application(application, didDiscardSceneSessions: sceneSessions) }
  public func application(
    _ application: ApplicationProcess, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  ) {}
  public func application(
    _ application: ApplicationProcess, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  ) {}
  public func application(
    _ application: ApplicationProcess, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  ) {}
  public func applicationDidReceiveMemoryWarning(_ application: ApplicationProcess) {}
  public func applicationSignificantTimeChange(_ application: ApplicationProcess) {}
  public func applicationWillTerminate(_ application: ApplicationProcess) {}
}

/// A report of discarded sessions. A repeated report has the same identifier.
public struct DiscardReport: Hashable, Sendable, Identifiable {
  /// The identifier of the report.
  public let id: String
  /// Whether another report of the same discard follows.
  public let isFollowed: Bool

  package init(id: String, isFollowed: Bool) {
    self.id = id
    self.isFollowed = isFollowed
  }
}
