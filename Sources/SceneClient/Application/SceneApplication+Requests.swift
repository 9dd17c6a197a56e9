package import SceneModel

extension SceneApplication {
  /// Requests the scene of a session for this process.
  ///
  /// The delegate is called when the scene connects, perhaps before this method returns. Without a
  /// broker the request waits, unless the application has had none and does not wait for the first
  /// one. If a scene of the session is about to end, the client repeats the
  /// request for six seconds.
  ///
  /// - Parameter request: the session, and the content for its scene.
  /// - Returns: The session's persistent identifier.
  /// - Throws: ``SceneError/Code/sessionInUse`` if another client has the session,
  ///   ``SceneError/Code/sessionNotFound``, ``SceneError/Code/wrongRole``,
  ///   ``SceneError/Code/noConfiguration``, ``SceneError/Code/multipleScenesNotSupported``,
  ///   ``SceneError/Code/invalidParams``, ``SceneError/Code/tooLarge``,
  ///   ``SceneError/Code/tooMany``, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/shuttingDown``, and the common errors of ``SceneError``.
  ///   ``SceneError/Code/connectionLost`` if the request for a new session has no reply.
  @discardableResult
  public func connectScene(
    _ request: SceneRequest = SceneRequest()
  ) async throws(SceneError) -> String {
    try await client.reply(to: try request.message).session.description
  }

  /// Activates a session, or makes a new one. Any client may get the scene. Corresponds to
  /// `UIApplication.requestSceneSessionActivation(_:userActivity:options:errorHandler:)`.
  ///
  /// - Parameters:
  ///   - sceneSession: the session; nil for the session that the options name, or a new one.
  ///   - userActivity: the activity to continue in the scene, at most 256 KiB by default; nil for
  ///     none.
  ///   - options: the options of the activation; nil for the default ones.
  /// - Returns: The session's persistent identifier, when its scene has reached its state. A
  ///   scene of this process may not have connected yet.
  /// - Throws: ``SceneError/Code/noHost`` if no connected client can make the scene,
  ///   ``SceneError/Code/launchFailed`` if no launched process made it,
  ///   ``SceneError/Code/requestDenied`` if all clients refuse it,
  ///   ``SceneError/Code/sessionNotFound``, and the errors of ``connectScene(_:)``.
  @discardableResult
  public func requestSceneSessionActivation(
    _ sceneSession: SceneSession?, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions? = nil
  ) async throws(SceneError) -> String {
    try await activate(sceneSession, nil, userActivity, options)
  }

  private func activate(
    _ session: SceneSession?, _ role: SceneSession.Role?, _ userActivity: UserActivity?,
    _ options: Scene.ActivationRequestOptions?
  ) async throws(SceneError) -> String {
    let options = options ?? Scene.ActivationRequestOptions()
    var message = RequestActivation(
      session: session?.identifier, role: role, userActivity: try userActivity?.checked)
    message.options = ActivationOptions(
      requestingScene: options.requestingScene?.identifier,
      targetContentIdentifier: options.targetContentIdentifier,
      background: options.staysInBackground)
    return try await client.reply(to: message).session.description
  }

  /// Activates the scene of a request. Corresponds to
  /// `UIApplication.activateSceneSession(for:errorHandler:)`.
  ///
  /// - Parameter request: the session, or the role of a new one, and the content.
  /// - Returns: The session's persistent identifier, when its scene has reached its state.
  /// - Throws: The errors of ``requestSceneSessionActivation(_:userActivity:options:)``.
  @discardableResult
  public func activateSceneSession(
    for request: SceneSessionActivationRequest
  ) async throws(SceneError) -> String {
    try await activate(request.session, request.role, request.userActivity, request.options)
  }

  /// Discards a session, also one of another client. Corresponds to
  /// `UIApplication.requestSceneSessionDestruction(_:options:errorHandler:)`.
  ///
  /// Returns when the broker has discarded it; a scene of this process may not have ended yet.
  ///
  /// - Parameters:
  ///   - sceneSession: the session.
  ///   - options: the user's decision, for the delegate of the session's scene; nil for none.
  /// - Throws: ``SceneError/Code/sessionNotFound`` if it does not exist,
  ///   ``SceneError/Code/storageFull``, and the common errors of ``SceneError``.
  public func requestSceneSessionDestruction(
    _ sceneSession: SceneSession, options: WindowSceneDestructionRequestOptions? = nil
  ) async throws(SceneError) {
    try await client.reply(
      to: RequestDestruction(
        sessions: [sceneSession.identifier],
        dismissalAnimation: options?.windowDismissalAnimation))
  }

  /// Refreshes the scene of a session, also in the background and in another client. Corresponds
  /// to `UIApplication.requestSceneSessionRefresh(_:)`.
  ///
  /// The delegate receives ``SceneDelegate/sceneNeedsRefresh(_:)``. A session without a scene is
  /// not connected.
  ///
  /// - Parameter sceneSession: the session.
  /// - Throws: ``SceneError/Code/sessionNotFound`` if it does not exist, and the common errors of
  ///   ``SceneError``.
  public func requestSceneSessionRefresh(
    _ sceneSession: SceneSession
  ) async throws(SceneError) {
    try await client.reply(to: RequestRefresh(sessions: [sceneSession.identifier]))
  }

  /// All sessions of the application, with or without a scene, as the broker has them now. They do
  /// not follow later changes. Corresponds to `UIApplication.openSessions`.
  ///
  /// The client reads the list page by page, and then each session. A session that is made or
  /// discarded meanwhile may be missing or present.
  ///
  /// - Throws: The common errors of ``SceneError``.
  public var openSessions: Set<SceneSession> {
    get async throws(SceneError) {
      var sessions: Set<SceneSession> = []
      for summary in try await client.summaries() {
        do throws(SceneError) {
          sessions.insert(try await session(summary.session))
        } catch {
          guard error.code == .sessionNotFound else { throw error }
        }
      }
      return sessions
    }
  }

  /// Returns the session of an identifier, with its saved state.
  ///
  /// - Parameter persistentIdentifier: the identifier of the session.
  /// - Returns: The session as the broker has it now. It does not follow later changes.
  /// - Throws: ``SceneError/Code/sessionNotFound``, ``SceneError/Code/invalidParams`` for an
  ///   invalid identifier, and the common errors of ``SceneError``.
  public func session(_ persistentIdentifier: String) async throws(SceneError) -> SceneSession {
    try await session(try SessionIdentifier(checking: persistentIdentifier))
  }

  private func session(_ identifier: SessionIdentifier) async throws(SceneError) -> SceneSession {
    let client = try client
    let details = try await client.reply(to: SessionShow(session: identifier))
    return SceneSession(
      details.sceneSession, withheld: details.summary.withheld, client: client)
  }
}

/// A request to activate the scene of a session, or of a new one. Corresponds to
/// `UISceneSessionActivationRequest`.
public struct SceneSessionActivationRequest: Sendable {
  /// The session; nil for a new one. Corresponds to `UISceneSessionActivationRequest.session`.
  public let session: SceneSession?
  /// The role of a new session; nil for the default one. Corresponds to
  /// `UISceneSessionActivationRequest.role`.
  public let role: SceneSession.Role?
  /// The activity to continue in the scene, at most 256 KiB by default; nil for none. Corresponds
  /// to `UISceneSessionActivationRequest.userActivity`.
  public var userActivity: UserActivity?
  /// The options of the activation; nil for the default ones. Corresponds to
  /// `UISceneSessionActivationRequest.options`.
  public var options: Scene.ActivationRequestOptions?

  /// Makes a request for an existing session. Corresponds to
  /// `UISceneSessionActivationRequest.init(session:)`.
  ///
  /// - Parameter session: the session.
  public init(session: SceneSession) { (self.session, role) = (session, nil) }

  /// Makes a request for a new session. Corresponds to
  /// `UISceneSessionActivationRequest.init(role:)`.
  ///
  /// - Parameter role: the role; nil for the default one.
  public init(role: SceneSession.Role? = nil) { (session, self.role) = (nil, role) }
}

/// The options of a discard. Corresponds to `UIWindowSceneDestructionRequestOptions`.
public struct WindowSceneDestructionRequestOptions: Sendable {
  /// The user's decision about the work in the window. ``Scene/windowDismissalAnimation`` tells it
  /// to the delegate. Corresponds to
  /// `UIWindowSceneDestructionRequestOptions.windowDismissalAnimation`.
  public var windowDismissalAnimation = WindowScene.DismissalAnimation.standard

  /// Makes the default options. Corresponds to `UIWindowSceneDestructionRequestOptions.init()`.
  public init() {}
}

extension WindowScene {
  /// The user's decision about the work in a window that closes. Corresponds to
  /// `UIWindowScene.DismissalAnimation`.
  public typealias DismissalAnimation = SceneModel.DismissalAnimation
}

extension Scene {
  /// The options of an activation. Corresponds to `UIScene.ActivationRequestOptions`.
  public struct ActivationRequestOptions: Sendable {
    /// The scene in which the user requested the activation. Corresponds to
    /// `UIScene.ActivationRequestOptions.requestingScene`.
    public var requestingScene: Scene?
    /// The target content, if no session is given: the broker chooses the session by its
    /// ``Scene/activationConditions``. At most 1 KiB. Corresponds to
    /// `NSUserActivity.targetContentIdentifier`.
    public var targetContentIdentifier: String?
    /// Whether a scene that is not in the foreground stays in the background.
    public var staysInBackground = false

    /// Makes the default options: the scene moves to the foreground. Corresponds to
    /// `UIScene.ActivationRequestOptions.init()`.
    public init() {}
  }
}

extension Client {
  /// Descriptions of all sessions of the application, page by page.
  package func summaries() async throws(SceneError) -> [SessionSummary] {
    var sessions: [SessionSummary] = []
    var page = SessionList()
    while true {
      let reply = try await reply(to: page)
      sessions += reply.sessions
      guard let next = reply.next, next > page.after ?? .none else { return sessions }
      page.after = next
    }
  }
}
