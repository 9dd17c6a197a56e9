/// What decides and is told for the whole application, in a process of its own.
///
/// Every method is optional. They are called one after the other, on the thread that
/// ``ApplicationProcess/run()`` is called on. A call has 5 s, unless the manifest says otherwise;
/// when it takes longer, things go on without its answer.
///
/// `applicationDelegate` in the manifest, or `scened --application-delegate`, sets the delegate's part.
/// By default it is `optional`. With `builtIn` the broker launches the delegate and tells it of scenes,
/// but does not ask for configurations, and does not report discards.
public protocol ApplicationDelegate: AnyObject {
  /// The application is being launched; no scene is there yet, unless it was there before this
  /// delegate.
  func applicationWillFinishLaunching(_ application: ApplicationProcess)
  /// The application is launched: the place for what has to be done once.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - launchOptions: what it is launched for, if somebody waits for it.
  /// - Returns: false to decline that: what was to be opened is refused, and a scene is connected
  ///   without its options.
  func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) -> Bool
  /// A session is being made; asked once for each, never when one is connected again.
  ///
  /// - Parameters:
  ///   - application: this process.
  ///   - connectingSceneSession: the session as it would be. Its ``SceneSession/userInfo`` may be
  ///     set.
  ///   - options: why it is wanted.
  /// - Returns: what its scenes are made from. One that is only named is the manifest's of that
  ///   name, or the role's first if there is none. One without a name is the role's first, with the
  ///   members that it sets. The session's own, as it is, leaves it to the manifest.
  /// - Throws: to leave it to the manifest.
  func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: inout SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration
  /// Sessions have ended for good; each has its last activity. What belongs to them can be removed.
  ///
  /// They may be told once more, if this process or the broker ends before it is known to be done;
  /// ``application(_:didDiscardSceneSessions:in:)`` can tell.
  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>
  )
  /// The same, with the report that tells of it: by default the method without is called.
  ///
  /// - Throws: to be told once more when the application is launched next.
  func application(
    _ application: ApplicationProcess, didDiscardSceneSessions sceneSessions: Set<SceneSession>,
    in report: DiscardReport
  ) throws
  /// A client has become the scene of a session.
  func application(
    _ application: ApplicationProcess, sceneDidConnect persistentIdentifier: String,
    reason: Scene.ConnectionOptions.Reason
  )
  /// A scene is no more, wherever it was; its session may come back.
  func application(
    _ application: ApplicationProcess, sceneDidDisconnect persistentIdentifier: String,
    reason: Scene.DisconnectReason
  )
  /// The process of a scene that was lost has ended, and the broker, which had started it, knows how.
  /// It follows ``application(_:sceneDidDisconnect:reason:)``.
  func application(
    _ application: ApplicationProcess, sceneProcessDidEnd persistentIdentifier: String,
    exit: Scene.ProcessExit
  )
  /// Memory is short.
  func applicationDidReceiveMemoryWarning(_ application: ApplicationProcess)
  /// It is another day, or the clock was set.
  func applicationSignificantTimeChange(_ application: ApplicationProcess)
  /// The application ends, within a second; all scenes are gone.
  func applicationWillTerminate(_ application: ApplicationProcess)
}

extension ApplicationDelegate {
  public func applicationWillFinishLaunching(_ application: ApplicationProcess) {}
  public func application(
    _ application: ApplicationProcess,
    didFinishLaunchingWithOptions launchOptions: Scene.ConnectionOptions
  ) -> Bool { true }
  public func application(
    _ application: ApplicationProcess,
    configurationForConnecting connectingSceneSession: inout SceneSession,
    options: Scene.ConnectionOptions
  ) throws -> SceneConfiguration { connectingSceneSession.configuration }
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

/// A report of sessions that were discarded. It may come more than once, and is always called the
/// same.
public struct DiscardReport: Hashable, Sendable, Identifiable {
  /// What it is called, each time it comes.
  public let id: String
  /// Whether more that was discarded together with these comes next.
  public let isFollowed: Bool

  package init(id: String, isFollowed: Bool) {
    self.id = id
    self.isFollowed = isFollowed
  }
}
