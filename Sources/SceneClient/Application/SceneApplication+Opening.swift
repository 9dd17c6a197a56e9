import SceneModel

extension SceneApplication {
  /// Content to open in a scene. Corresponds to `UIScene.ConnectionOptions`.
  public enum Content: Hashable, Sendable {
    /// URLs to open, in order. Corresponds to `UIScene.ConnectionOptions.urlContexts`.
    case urls([OpenURLContext])
    /// An activity to continue. Corresponds to `UIScene.ConnectionOptions.userActivities`.
    case userActivity(UserActivity)
    /// An activity from another device: a scene that connects for it receives its type first, and
    /// the activity when it is available. Corresponds to
    /// `UIScene.ConnectionOptions.handoffUserActivityType`.
    case handoff(UserActivity)
    /// The user's response to a notification. Corresponds to
    /// `UIScene.ConnectionOptions.notificationResponse`.
    case notificationResponse(NotificationResponse)
    /// A shortcut that the user chose. Corresponds to `UIScene.ConnectionOptions.shortcutItem`.
    case shortcutItem(ApplicationShortcutItem)
  }

  /// Opens content in the matching scene, whichever client has it. Corresponds to
  /// `UIApplication.open(_:options:completionHandler:)`.
  ///
  /// The broker chooses a session that prefers the target content identifier, then one that can be
  /// activated for it, then a new one. Without an identifier it chooses the session that was active
  /// last. Where only one session is possible, that session gets the content.
  ///
  /// The request is sent once. If the broker is lost before its reply, the content may have been
  /// opened.
  ///
  /// - Parameters:
  ///   - content: the content to open; together at most 256 KiB by default.
  ///   - targetContentIdentifier: the identifier of the content, at most 1 KiB; nil for that of
  ///     the content itself.
  ///   - configuration: the configuration of a new session, by its name in the manifest, at most
  ///     256 bytes; nil for the first of the role.
  /// - Returns: The session's persistent identifier, when its scene has acknowledged the content.
  ///   A scene of this process may not have connected yet.
  /// - Throws: The errors of ``requestSceneSessionActivation(_:userActivity:options:)``, and
  ///   ``SceneError/Code/connectionLost``.
  @discardableResult
  public func open(
    _ content: Content, targetContentIdentifier: String? = nil, configuration: String? = nil
  ) async throws(SceneError) -> String {
    var message = try content.message
    message.targetContentIdentifier = targetContentIdentifier
    message.configuration = configuration
    return try await client.reply(to: message).session.description
  }
}

extension SceneApplication.Content {
  /// The content in wire form, checked as far as possible here.
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
