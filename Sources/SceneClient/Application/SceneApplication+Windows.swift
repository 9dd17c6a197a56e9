package import SceneModel

extension SceneApplication {
  /// Opens a window. If a window for the same value is open in any process, moves it to the
  /// foreground instead. Corresponds to `EnvironmentValues.openWindow`.
  ///
  /// - Parameters:
  ///   - id: the kind of the window, as in `WindowGroup`, at most 256 bytes; a kind of the role
  ///     `windowApplication`.
  ///   - value: the name of the session, such as a document, at most 1 KiB. With nil, the broker
  ///     chooses the most recently used session of the kind without a client, or a new one. A
  ///     `Window` has one session.
  /// - Returns: Whether this process has the window; its scene may not have connected yet. False
  ///   if the window of another process moved to the foreground.
  /// - Throws: The errors of ``connectScene(_:)`` and
  ///   ``requestSceneSessionActivation(_:userActivity:options:)``.
  @discardableResult
  public func openWindow(id: String, value: String? = nil) async throws(SceneError) -> Bool {
    try await host.openWindow(id, value, by: client)
  }
}

extension Scene {
  /// Opens a window from a scene; see ``SceneApplication/openWindow(id:value:)``. Corresponds to
  /// `EnvironmentValues.openWindow`.
  ///
  /// - Parameters:
  ///   - id: the kind of the window, at most 256 bytes.
  ///   - value: the name of the session, at most 1 KiB; nil for the most recently used one.
  /// - Returns: Whether this process has the window.
  /// - Throws: The errors of ``SceneApplication/openWindow(id:value:)``.
  @discardableResult
  public func openWindow(id: String, value: String? = nil) async throws(SceneError) -> Bool {
    guard let host else { throw SceneError(.applicationStopped, "this client has ended") }
    return try await host.openWindow(id, value, by: client)
  }

  /// Opens content in the matching scene; see
  /// ``SceneApplication/open(_:targetContentIdentifier:configuration:)``. Corresponds to
  /// `UIScene.open(_:options:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - content: the content to open; together at most 256 KiB by default.
  ///   - targetContentIdentifier: the identifier of the content, at most 1 KiB; nil for that of
  ///     the content itself.
  ///   - configuration: the configuration of a new session, at most 256 bytes; nil for the first
  ///     of the role.
  /// - Returns: The session's persistent identifier.
  /// - Throws: The errors of ``SceneApplication/open(_:targetContentIdentifier:configuration:)``.
  @discardableResult
  public func open(
    _ content: SceneApplication.Content, targetContentIdentifier: String? = nil,
    configuration: String? = nil
  ) async throws(SceneError) -> String {
    try await client.open(content, targetContentIdentifier, configuration)
  }
}

extension SceneHost {
  fileprivate func openWindow(
    _ kind: String, _ name: String?, by client: Client
  ) async throws(SceneError) -> Bool {
    var request = SceneRequest(name.map { .named($0) } ?? .mostRecent)
    request.configuration = kind
    let message = try request.message
    do throws(SceneError) {
      try await client.reply(to: message)
      return true
    } catch {
      guard error.meansThatItIsOpen else { throw error }
      let session = try await client.bringForward(name, kind, refused: error)
      // The window may have been in the foreground before, behind another window of this process.
      return bringForward(session)
    }
  }
}

extension SceneError {
  /// Whether a client already has the requested window.
  package var meansThatItIsOpen: Bool {
    code == .sessionInUse || code == .multipleScenesNotSupported
  }
}

extension Client {
  /// Activates the session of a name, or the only session of a kind.
  package func bringForward(
    _ name: String?, _ kind: String?, refused error: SceneError
  ) async throws(SceneError) -> SessionIdentifier {
    var message = RequestActivation()
    if let name, error.code == .sessionInUse {
      message.name = name
    } else {
      let own = try await openSessions().first { $0.configuration == kind }
      // Another name is a request for another window.
      guard let own, name == nil || own.name == name else { throw error }
      message.session = try SessionIdentifier(checking: own.persistentIdentifier)
    }
    return try await reply(to: message).session
  }
}
