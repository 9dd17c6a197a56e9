import SceneModel

extension SceneApplication {
  /// Asks to have the scene of a session; the delegate is called when it is there.
  ///
  /// Returns the session's persistent identifier.
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
  /// Without an identifier it is a new one. Returns the session's persistent identifier when its
  /// scene has arrived; a scene of this process may still be on its way.
  @discardableResult
  public func requestSceneSessionActivation(
    _ persistentIdentifier: String?, userActivity: UserActivity? = nil,
    options: ActivationRequestOptions = ActivationRequestOptions()
  ) async throws(SceneError) -> String {
    let session: SessionIdentifier?
    if let persistentIdentifier {
      session = try SessionIdentifier(checking: persistentIdentifier)
    } else {
      session = nil
    }
    var message = RequestActivation(session: session, userActivity: try userActivity?.checked)
    message.name = session == nil ? options.name : nil
    message.configuration = options.configuration
    message.options = ActivationOptions(
      requestingScene: options.requestingScene?.identifier, background: options.background)
    guard case .activated(let reply) = try await client.reply(to: .activate(message)) else {
      throw SceneError.unexpectedReply
    }
    return reply.session.description
  }

  /// Ends sessions for good. It returns when they are gone; scenes of this process may still be on
  /// their way.
  public func requestSceneSessionDestruction(
    _ persistentIdentifiers: [String]
  ) async throws(SceneError) {
    var sessions: [SessionIdentifier] = []
    for identifier in persistentIdentifiers {
      sessions.append(try SessionIdentifier(checking: identifier))
    }
    _ = try await client.reply(to: .destroy(RequestDestruction(sessions: sessions)))
  }

  /// All sessions of the application, with a scene or without, in the order of their identifiers.
  public var openSessions: [SceneSession.Summary] {
    get async throws(SceneError) {
      var sessions: [SceneSession.Summary] = []
      var page = SessionList()
      while true {
        guard case .listed(let reply) = try await client.reply(to: .list(page)) else {
          throw SceneError.unexpectedReply
        }
        sessions += reply.sessions.map(SceneSession.Summary.init)
        guard let next = reply.next else { return sessions }
        page.after = next
      }
    }
  }

  /// A session with all that is kept of it.
  public func session(_ persistentIdentifier: String) async throws(SceneError) -> SceneSession {
    let message = SessionShow(session: try SessionIdentifier(checking: persistentIdentifier))
    guard case .shown(let details) = try await client.reply(to: .show(message)) else {
      throw SceneError.unexpectedReply
    }
    return SceneSession(details.sceneSession)
  }
}

/// How a session is to be activated.
public struct ActivationRequestOptions: Sendable {
  /// The scene in which the user asked for it.
  public var requestingScene: Scene?
  /// The name of the session, where no identifier is given; it is made if there is none.
  public var name: String?
  /// The configuration of a new session, by name.
  public var configuration: String?
  /// Whether the scene stays in the background.
  public var background = false

  public init() {}
}

extension Client {
  /// Asks, and waits for the answer.
  func reply(to request: ClientRequest) async throws(SceneError) -> BrokerReply {
    let result = await withCheckedContinuation { continuation in
      self.request(request) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }
}
