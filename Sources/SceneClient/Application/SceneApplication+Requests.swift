import SceneModel

extension SceneApplication {
  /// Asks to have the scene of a session. Its delegate is called when it is there, perhaps before
  /// this returns.
  ///
  /// While the broker is away it waits. A session whose scene is just ending is asked for again for
  /// six seconds.
  ///
  /// - Returns: The session's persistent identifier.
  /// - Throws: ``SceneError/Code/sessionInUse`` if another client has the session,
  ///   ``SceneError/Code/sessionNotFound``, ``SceneError/Code/wrongRole``,
  ///   ``SceneError/Code/noConfiguration``, ``SceneError/Code/multipleScenesNotSupported``,
  ///   ``SceneError/Code/invalidParams``, ``SceneError/Code/tooLarge``,
  ///   ``SceneError/Code/tooMany``, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/shuttingDown``, ``SceneError/Code/applicationStopped``; and
  ///   ``SceneError/Code/connectionLost`` for a new session whose making was not answered.
  @discardableResult
  public func connectScene(
    _ request: SceneRequest = SceneRequest()
  ) async throws(SceneError) -> String {
    guard case .connected(let reply) = try await client.reply(to: .connect(try request.message))
    else { throw SceneError.unexpectedReply }
    return reply.session.description
  }

  /// Brings a session to the foreground, or makes a new one, whichever client will have its scene.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: which session; nil for the one that the options name, or for a new
  ///     one.
  ///   - userActivity: what is to be continued in the scene.
  ///   - options: how; see there.
  /// - Returns: The session's persistent identifier, when its scene has arrived; a scene of this
  ///   process may still be on its way.
  /// - Throws: ``SceneError/Code/noHost`` if no client is there that could make the scene,
  ///   ``SceneError/Code/requestDenied`` if none of them would,
  ///   ``SceneError/Code/sessionNotFound``, and what ``connectScene(_:)`` throws.
  @discardableResult
  public func requestSceneSessionActivation(
    _ persistentIdentifier: String?, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions = Scene.ActivationRequestOptions()
  ) async throws(SceneError) -> String {
    let session: SessionIdentifier?
    if let persistentIdentifier {
      session = try SessionIdentifier(checking: persistentIdentifier)
    } else {
      session = nil
    }
    var message = RequestActivation(session: session, userActivity: try userActivity?.checked)
    message.name = session == nil ? options.name : nil
    message.role = options.role.map { Role(rawValue: $0.rawValue) }
    message.configuration = options.configuration
    message.options = ActivationOptions(
      requestingScene: options.requestingScene?.identifier,
      targetContentIdentifier: options.targetContentIdentifier,
      background: options.staysInBackground)
    guard case .activated(let reply) = try await client.reply(to: .activate(message)) else {
      throw SceneError.unexpectedReply
    }
    return reply.session.description
  }

  /// Ends sessions for good, whoever has their scenes. It returns when they are gone; scenes of
  /// this process may still be on their way.
  ///
  /// - Throws: ``SceneError/Code/sessionNotFound`` if one of them is not there: then all stay.
  ///   ``SceneError/Code/tooMany`` for more than 4,096, ``SceneError/Code/invalidParams`` for
  ///   what is no identifier, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/applicationStopped``.
  public func requestSceneSessionDestruction(
    _ persistentIdentifiers: [String]
  ) async throws(SceneError) {
    var sessions: [SessionIdentifier] = []
    for identifier in persistentIdentifiers {
      sessions.append(try SessionIdentifier(checking: identifier))
    }
    _ = try await client.reply(to: .destroy(RequestDestruction(sessions: sessions)))
  }

  /// Has the scenes of sessions take in what has changed, whoever has them and also in the
  /// background: their delegates are told by ``SceneDelegate/sceneNeedsRefresh(_:)``.
  ///
  /// - Parameters:
  ///   - persistentIdentifiers: which sessions.
  ///   - opening: whether a session without a scene is brought to a client for it, where it stays in
  ///     the background.
  /// - Returns: The sessions whose scenes were refreshed, when they have acknowledged it; scenes of
  ///   this process may still be about to.
  /// - Throws: ``SceneError/Code/sessionNotFound`` if one of them is not there,
  ///   ``SceneError/Code/noHost`` if none could be brought anywhere,
  ///   ``SceneError/Code/shuttingDown``, ``SceneError/Code/applicationStopped``.
  @discardableResult
  public func requestSceneSessionRefresh(
    _ persistentIdentifiers: [String], opening: Bool = false
  ) async throws(SceneError) -> [String] {
    var sessions: [SessionIdentifier] = []
    for identifier in persistentIdentifiers {
      sessions.append(try SessionIdentifier(checking: identifier))
    }
    return try await refresh(RequestRefresh(sessions: sessions, open: opening))
  }

  /// The same for all whose userInfo has these members, with these values.
  @discardableResult
  public func requestSceneSessionRefresh(
    where userInfo: UserInfo, opening: Bool = false
  ) async throws(SceneError) -> [String] {
    let members = CarriedObject(unchecked: userInfo.raw)
    return try await refresh(RequestRefresh(matching: members, open: opening))
  }

  private func refresh(_ message: RequestRefresh) async throws(SceneError) -> [String] {
    guard case .refreshed(let reply) = try await client.reply(to: .refresh(message)) else {
      throw SceneError.unexpectedReply
    }
    return reply.sessions.map(\.description)
  }

  /// All sessions of the application, with a scene or without, in the order of their identifiers.
  ///
  /// They are read page by page, so one that comes or goes meanwhile may be missing or be there.
  ///
  /// - Throws: ``SceneError/Code/applicationStopped``.
  public var openSessions: [SceneSession.Summary] {
    get async throws(SceneError) { try await client.openSessions() }
  }

  /// Those whose userInfo has these members, with these values.
  ///
  /// - Throws: ``SceneError/Code/tooLarge`` for more than a request may have,
  ///   ``SceneError/Code/applicationStopped``.
  public func openSessions(
    where userInfo: UserInfo
  ) async throws(SceneError) -> [SceneSession.Summary] {
    try await client.openSessions(where: CarriedObject(unchecked: userInfo.raw))
  }

  /// A session with all that is kept of it, as it is now.
  ///
  /// - Throws: ``SceneError/Code/sessionNotFound``, ``SceneError/Code/invalidParams`` for what is
  ///   no identifier, ``SceneError/Code/applicationStopped``.
  public func session(_ persistentIdentifier: String) async throws(SceneError) -> SceneSession {
    let message = SessionShow(session: try SessionIdentifier(checking: persistentIdentifier))
    guard case .shown(let details) = try await client.reply(to: .show(message)) else {
      throw SceneError.unexpectedReply
    }
    return SceneSession(details.sceneSession, withheld: details.summary.withheld)
  }
}

extension Scene {
  /// How a session is to be activated.
  public struct ActivationRequestOptions: Sendable {
    /// The scene in which the user asked for it.
    public var requestingScene: Scene?
    /// The name of the session, where no identifier is given; it is made if there is none.
    public var name: String?
    /// What the scene is to show, where neither an identifier nor a name is given: the session
    /// whose ``Scene/activationConditions`` say so is brought. In at most 1 KiB.
    public var targetContentIdentifier: String?
    /// The role of a new session; nil for a window of the application.
    public var role: SceneSession.Role?
    /// The configuration of a new session, by its name in the manifest; otherwise the role's first.
    public var configuration: String?
    /// Whether a scene that is not in the foreground stays in the background.
    public var staysInBackground = false

    /// As the system would: to the foreground.
    public init() {}
  }
}

extension Client {
  /// All sessions of the application, or those with these members of userInfo, page by page.
  func openSessions(
    where members: CarriedObject? = nil
  ) async throws(SceneError) -> [SceneSession.Summary] {
    var sessions: [SceneSession.Summary] = []
    var page = SessionList()
    page.matching = members
    while true {
      guard case .listed(let reply) = try await reply(to: .list(page)) else {
        throw SceneError.unexpectedReply
      }
      sessions += reply.sessions.map(SceneSession.Summary.init)
      guard let next = reply.next, next > page.after ?? .none else { return sessions }
      page.after = next
    }
  }

  /// Asks, and waits for the answer.
  func reply(to request: ClientRequest) async throws(SceneError) -> BrokerReply {
    let result = await withCheckedContinuation { continuation in
      self.request(request) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }
}
