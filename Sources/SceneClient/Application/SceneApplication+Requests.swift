import SceneModel

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
    try await activate(sceneSession?.identifier, userActivity, options)
  }

  /// Activates the session of an identifier. Any client may get the scene. Corresponds to
  /// `UIApplication.requestSceneSessionActivation(_:userActivity:options:errorHandler:)`.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: the identifier of an existing session.
  ///   - userActivity: the activity to continue in the scene, at most 256 KiB by default; nil for
  ///     none.
  ///   - options: the options of the activation; nil for the default ones.
  /// - Returns: The identifier, when the scene has reached its state.
  /// - Throws: ``SceneError/Code/invalidParams`` for an invalid identifier, and the errors of
  ///   ``requestSceneSessionActivation(_:userActivity:options:)``.
  @discardableResult
  public func requestSceneSessionActivation(
    persistentIdentifier: String, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions? = nil
  ) async throws(SceneError) -> String {
    try await activate(
      try SessionIdentifier(checking: persistentIdentifier), userActivity, options)
  }

  private func activate(
    _ session: SessionIdentifier?, _ userActivity: UserActivity?,
    _ options: Scene.ActivationRequestOptions?
  ) async throws(SceneError) -> String {
    let options = options ?? Scene.ActivationRequestOptions()
    var message = RequestActivation(session: session, userActivity: try userActivity?.checked)
    message.name = session == nil ? options.name : nil
    message.role = options.role.map { Role(rawValue: $0.rawValue) }
    message.configuration = options.configuration
    message.options = ActivationOptions(
      requestingScene: options.requestingScene?.identifier,
      targetContentIdentifier: options.targetContentIdentifier,
      background: options.staysInBackground)
    return try await client.reply(to: message).session.description
  }

  /// Discards a session, also one of another client. Corresponds to
  /// `UIApplication.requestSceneSessionDestruction(_:options:errorHandler:)`.
  ///
  /// Returns when the broker has discarded it; a scene of this process may not have ended yet.
  ///
  /// - Parameter sceneSession: the session.
  /// - Throws: The errors of ``requestSceneSessionDestruction(persistentIdentifiers:)``.
  public func requestSceneSessionDestruction(
    _ sceneSession: SceneSession
  ) async throws(SceneError) {
    try await destroy([sceneSession.identifier])
  }

  /// Discards sessions, also those of other clients. Corresponds to
  /// `UIApplication.requestSceneSessionDestruction(_:options:errorHandler:)`.
  ///
  /// Returns when the broker has discarded them; scenes of this process may not have ended yet.
  ///
  /// - Parameter persistentIdentifiers: the identifiers of the sessions, at most 4,096.
  /// - Throws: ``SceneError/Code/sessionNotFound`` if one of them does not exist; then all stay.
  ///   ``SceneError/Code/tooMany`` for more than 4,096, ``SceneError/Code/invalidParams`` for an
  ///   invalid identifier, ``SceneError/Code/storageFull``, and the common errors of
  ///   ``SceneError``.
  public func requestSceneSessionDestruction(
    persistentIdentifiers: [String]
  ) async throws(SceneError) {
    try await destroy(try SessionIdentifier.list(checking: persistentIdentifiers))
  }

  private func destroy(_ sessions: [SessionIdentifier]) async throws(SceneError) {
    try await client.reply(to: RequestDestruction(sessions: sessions))
  }

  /// Refreshes the scene of a session, also in the background and in another client. Corresponds
  /// to `UIApplication.requestSceneSessionRefresh(_:)`.
  ///
  /// The delegate receives ``SceneDelegate/sceneNeedsRefresh(_:)``. A session without a scene is
  /// not connected.
  ///
  /// - Parameter sceneSession: the session.
  /// - Throws: The errors of ``requestSceneSessionRefresh(persistentIdentifiers:opening:)``.
  public func requestSceneSessionRefresh(
    _ sceneSession: SceneSession
  ) async throws(SceneError) {
    _ = try await refresh(RequestRefresh(sessions: [sceneSession.identifier], open: false))
  }

  /// Refreshes the scenes of sessions, also in the background and in other clients. Corresponds to
  /// `UIApplication.requestSceneSessionRefresh(_:)`.
  ///
  /// The delegates receive ``SceneDelegate/sceneNeedsRefresh(_:)``.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: the identifiers of the sessions. The request has at most 1 MiB by
  ///     default.
  ///   - opening: whether a session without a scene is connected for the refresh, in the
  ///     background.
  /// - Returns: The sessions with refreshed scenes, when the scenes have acknowledged it. Scenes
  ///   of this process may not have handled it yet.
  /// - Throws: ``SceneError/Code/sessionNotFound`` if one of them does not exist,
  ///   ``SceneError/Code/noHost`` if no client could connect any of them,
  ///   ``SceneError/Code/invalidParams`` for an invalid identifier,
  ///   ``SceneError/Code/shuttingDown``, and the common errors of ``SceneError``.
  @discardableResult
  public func requestSceneSessionRefresh(
    persistentIdentifiers: [String], opening: Bool = false
  ) async throws(SceneError) -> [String] {
    let sessions = try SessionIdentifier.list(checking: persistentIdentifiers)
    return try await refresh(RequestRefresh(sessions: sessions, open: opening))
  }

  /// Refreshes all sessions whose userInfo has these members with these values. Corresponds to
  /// `UIApplication.requestSceneSessionRefresh(_:)`.
  ///
  /// - Parameters:
  ///   - userInfo: the members, at most 1 MiB with the request by default; an empty object selects
  ///     every session.
  ///   - opening: whether a session without a scene is connected for the refresh, in the
  ///     background.
  /// - Returns: The sessions with refreshed scenes.
  /// - Throws: The errors of ``requestSceneSessionRefresh(persistentIdentifiers:opening:)``.
  @discardableResult
  public func requestSceneSessionRefresh(
    where userInfo: UserInfo, opening: Bool = false
  ) async throws(SceneError) -> [String] {
    let members = OpaqueObject(unchecked: userInfo.raw)
    return try await refresh(RequestRefresh(matching: members, open: opening))
  }

  private func refresh(_ message: RequestRefresh) async throws(SceneError) -> [String] {
    try await client.reply(to: message).sessions.map(\.description)
  }

  /// All sessions of the application, with or without a scene, in the order of their identifiers.
  /// Corresponds to `UIApplication.openSessions`.
  ///
  /// The client reads them page by page. A session that is made or discarded meanwhile may be
  /// missing or present.
  ///
  /// - Throws: The common errors of ``SceneError``.
  public var openSessions: [SceneSession.Summary] {
    get async throws(SceneError) { try await client.openSessions() }
  }

  /// Returns the sessions whose userInfo has these members with these values. Corresponds to
  /// `UIApplication.openSessions`.
  ///
  /// - Parameter userInfo: the members, at most 1 MiB with the request by default; an empty object
  ///   selects every session.
  /// - Returns: The sessions in the order of their identifiers.
  /// - Throws: The common errors of ``SceneError``, such as ``SceneError/Code/tooLarge`` if the
  ///   members exceed the limit of a request.
  public func openSessions(
    where userInfo: UserInfo
  ) async throws(SceneError) -> [SceneSession.Summary] {
    try await client.openSessions(where: OpaqueObject(unchecked: userInfo.raw))
  }

  /// Returns the session of an identifier, with its saved state.
  ///
  /// - Parameter persistentIdentifier: the identifier of the session.
  /// - Returns: The session as the broker has it now. It does not follow later changes.
  /// - Throws: ``SceneError/Code/sessionNotFound``, ``SceneError/Code/invalidParams`` for an
  ///   invalid identifier, and the common errors of ``SceneError``.
  public func session(_ persistentIdentifier: String) async throws(SceneError) -> SceneSession {
    let message = SessionShow(session: try SessionIdentifier(checking: persistentIdentifier))
    let client = try client
    let details = try await client.reply(to: message)
    return SceneSession(
      details.sceneSession, withheld: details.summary.withheld, client: client)
  }
}

extension SessionIdentifier {
  fileprivate static func list(checking texts: [String]) throws(SceneError) -> [Self] {
    var sessions: [Self] = []
    for text in texts { sessions.append(try SessionIdentifier(checking: text)) }
    return sessions
  }
}

extension Scene {
  /// The options of an activation. Corresponds to `UIScene.ActivationRequestOptions`.
  public struct ActivationRequestOptions: Sendable {
    /// The scene in which the user requested the activation. Corresponds to
    /// `UIScene.ActivationRequestOptions.requestingScene`.
    public var requestingScene: Scene?
    /// The name of the session, at most 1 KiB, if no identifier is given. The broker makes the
    /// session if it does not exist.
    public var name: String?
    /// The target content, if neither an identifier nor a name is given: the broker chooses the
    /// session by its ``Scene/activationConditions``. At most 1 KiB. Corresponds to
    /// `NSUserActivity.targetContentIdentifier`.
    public var targetContentIdentifier: String?
    /// The role of a new session; nil for a window of the application. Corresponds to
    /// `UISceneSessionActivationRequest.role`.
    public var role: SceneSession.Role?
    /// The configuration of a new session, by its name in the manifest, at most 256 bytes; nil for
    /// the first of the role.
    public var configuration: String?
    /// Whether a scene that is not in the foreground stays in the background.
    public var staysInBackground = false

    /// Makes the default options: the scene moves to the foreground. Corresponds to
    /// `UIScene.ActivationRequestOptions.init()`.
    public init() {}
  }
}

extension Client {
  /// All sessions of the application, or those whose userInfo has these members, page by page.
  func openSessions(
    where members: OpaqueObject? = nil
  ) async throws(SceneError) -> [SceneSession.Summary] {
    var sessions: [SceneSession.Summary] = []
    var page = SessionList()
    page.matching = members
    while true {
      let reply = try await reply(to: page)
      sessions += reply.sessions.map(SceneSession.Summary.init)
      guard let next = reply.next, next > page.after ?? .none else { return sessions }
      page.after = next
    }
  }
}
