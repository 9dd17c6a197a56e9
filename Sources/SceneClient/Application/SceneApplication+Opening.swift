import SceneModel

extension SceneApplication {
  /// Something to be opened in a scene.
  public enum Content: Hashable, Sendable {
    /// URLs.
    case urls([OpenURLContext])
    /// An activity to be continued.
    case userActivity(UserActivity)
    /// An activity from another device: a scene that connects because of it is told its type, and
    /// handed the activity when it is there.
    case handoff(UserActivity)
    /// What a person did with a notification.
    case notificationResponse(NotificationResponse)
    /// A shortcut that was chosen.
    case shortcutItem(ApplicationShortcutItem)
  }

  /// Hands something to the scene that it is for, whichever client has it: to a session that
  /// prefers its target content identifier, else to one that can be activated for it, else to a new
  /// one; without an identifier, to the one that was active last.
  ///
  /// It is asked for once: if the broker is lost before it answers, it may have been opened.
  ///
  /// - Parameters:
  ///   - content: what is to be opened; together at most 256 KiB.
  ///   - targetContentIdentifier: what content it is about, in at most 1 KiB; nil for what the
  ///     content itself says.
  ///   - configuration: the configuration of a new session, by its name in the manifest; nil for
  ///     the role's first.
  /// - Returns: The session's persistent identifier, when its scene has acknowledged it; a scene of
  ///   this process may still be on its way.
  /// - Throws: What ``requestSceneSessionActivation(_:userActivity:options:)`` throws, and
  ///   ``SceneError/Code/connectionLost``.
  @discardableResult
  public func open(
    _ content: Content, targetContentIdentifier: String? = nil, configuration: String? = nil
  ) async throws(SceneError) -> String {
    try await client.open(content, targetContentIdentifier, configuration)
  }
}

extension Client {
  func open(
    _ content: SceneApplication.Content, _ targetContentIdentifier: String?,
    _ configuration: String?
  ) async throws(SceneError) -> String {
    var message = try content.message
    message.targetContentIdentifier = targetContentIdentifier
    message.configuration = configuration
    guard case .activated(let reply) = try await reply(to: .open(message)) else {
      throw SceneError.unexpectedReply
    }
    return reply.session.description
  }
}

extension SceneApplication.Content {
  /// As it goes over the wire, checked as far as it can be here.
  fileprivate var message: ApplicationOpen {
    get throws(SceneError) {
      switch self {
      case .urls(let contexts): ApplicationOpen(.urls(contexts.map(\.message)))
      case .userActivity(let activity): ApplicationOpen(.activity(try activity.checked))
      case .handoff(let activity): ApplicationOpen(.handoff(try activity.checked))
      case .notificationResponse(let response): ApplicationOpen(.notification(response.message))
      case .shortcutItem(let item): ApplicationOpen(.shortcut(item.message))
      }
    }
  }
}
