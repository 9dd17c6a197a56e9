package import SceneModel

extension Scene {
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
  /// - Throws: The errors of ``SceneApplication/connectScene(_:)`` and
  ///   ``SceneApplication/requestSceneSessionActivation(_:userActivity:options:)``.
  @discardableResult
  public func openWindow(id: String, value: String? = nil) async throws(SceneError) -> Bool {
    try await application.openWindow(id: id, value: value)
  }
}

extension SceneApplication {
  /// Opens a window, or brings it forward, as ``Scene/openWindow(id:value:)``.
  @discardableResult
  package func openWindow(id: String, value: String?) async throws(SceneError) -> Bool {
    var request = SceneRequest(value.map { .named($0) } ?? .mostRecent)
    request.configuration = id
    let message = try request.message
    do throws(SceneError) {
      try await client.reply(to: message)
      return true
    } catch {
      guard error.meansThatItIsOpen else { throw error }
      let session = try await client.bringForward(value, id, refused: error)
      // The window may have been in the foreground before, behind another window of this process.
      return host.bringForward(session)
    }
  }

  /// Closes the open windows of a kind, in all processes, or that of one value. Throws the first
  /// error after it has tried all windows.
  package func dismissWindows(id: String, value: String?) async throws(SceneError) {
    let client = try client
    var failure: SceneError?
    for window in try await client.summaries()
    where window.configuration == id && window.state != .unattached
      && (value == nil || window.name == value)
    {
      do throws(SceneError) {
        _ = try await client.reply(
          to: SceneTransition(session: window.session, to: .unattached, reason: .clientRequest))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
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
      let own = try await summaries().first { $0.configuration == kind }
      // Another name is a request for another window.
      guard let own, name == nil || own.name == name else { throw error }
      message.session = own.session
    }
    return try await reply(to: message).session
  }
}
