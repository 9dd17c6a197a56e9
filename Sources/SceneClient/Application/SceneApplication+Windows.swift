import SceneModel

extension SceneApplication {
  /// Opens a window: here, or, where one is open for the same already, by bringing that to the
  /// foreground, whichever process has it.
  ///
  /// - Parameters:
  ///   - id: which kind, as ``WindowGroup`` and its like call it; one of the role
  ///     `windowApplication`.
  ///   - value: what the window is for, such as a document; its session is called so. Nil stands for
  ///     the one that was used last and that nobody has, else a new one; and for the only one of a
  ///     kind that has one window.
  /// - Returns: Whether this process has the window, whose scene may still be on its way; otherwise it
  ///   came to the foreground in another.
  /// - Throws: What ``connectScene(_:)`` and
  ///   ``requestSceneSessionActivation(_:userActivity:options:)`` throw.
  @discardableResult
  public func openWindow(id: String, value: String? = nil) async throws(SceneError) -> Bool {
    try await host.openWindow(id, value, by: client)
  }
}

extension Scene {
  /// The same, from a scene: ``SceneApplication/openWindow(id:value:)``.
  @discardableResult
  public func openWindow(id: String, value: String? = nil) async throws(SceneError) -> Bool {
    guard let host else { throw SceneError(.applicationStopped, "this client has ended") }
    return try await host.openWindow(id, value, by: client)
  }

  /// Hands something to the scene that it is for:
  /// ``SceneApplication/open(_:targetContentIdentifier:configuration:)``.
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
      _ = try await client.reply(to: .connect(message))
      return true
    } catch {
      guard error.meansThatItIsOpen else { throw error }
      let session = try await client.bringForward(name, kind, refused: error)
      // In front it may have been all the time, behind another of this process.
      return bringForward(session)
    }
  }
}

extension SceneError {
  /// Whether the window that was asked for is somebody's already.
  var meansThatItIsOpen: Bool { code == .sessionInUse || code == .multipleScenesNotSupported }
}

extension Client {
  /// Brings the session of a name to the foreground, or the only one of a kind.
  func bringForward(
    _ name: String?, _ kind: String?, refused error: SceneError
  ) async throws(SceneError) -> SessionIdentifier {
    var message = RequestActivation()
    if let name, error.code == .sessionInUse {
      message.name = name
    } else {
      let own = try await openSessions().first { $0.configuration == kind }
      guard let own else { throw error }
      message.session = try SessionIdentifier(checking: own.persistentIdentifier)
    }
    guard case .activated(let reply) = try await reply(to: .activate(message)) else {
      throw SceneError.unexpectedReply
    }
    return reply.session
  }
}
