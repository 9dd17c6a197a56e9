import SceneModel

/// The changes of a scene to its session.
extension Scene {
  /// Sets the name of the session.
  ///
  /// - Parameter name: the name, 1 byte to 1 KiB; nil removes it.
  /// - Throws: ``SceneError/Code/nameInUse`` if another session has the name,
  ///   ``SceneError/Code/invalidParams`` for an invalid name, ``SceneError/Code/tooLarge`` for a
  ///   longer one, ``SceneError/Code/storageFull``, ``SceneError/Code/sessionNotHeld`` if the scene
  ///   has ended, and the common errors of ``SceneError``.
  public func setName(_ name: String?) async throws(SceneError) {
    // In the order of the replies.
    try await client.reply(to: SetName(session: identifier, name: name)) {
      [session] _ in session.didSetName(name)
    }
  }

  /// Returns the directory for files of the session, such as drafts, caches, and data that is too
  /// large for an activity.
  ///
  /// The broker makes the directory at the first request, for this user only. The directory stays
  /// while the session has no scene. The broker removes it with the session, so do not store the
  /// user's documents there.
  ///
  /// - Returns: An absolute path.
  /// - Throws: ``SceneError/Code/storageFull``; ``SceneError/Code/requestDenied`` if the
  ///   directory cannot be made; ``SceneError/Code/sessionNotHeld`` if the scene has ended; the
  ///   common errors of ``SceneError``.
  public func dataDirectory() async throws(SceneError) -> String {
    try await client.reply(to: DataDirectory(session: identifier)).path
  }
}
