import SceneModel

/// What a scene changes of its session, and keeps for itself.
extension Scene {
  /// Gives the session another userInfo, of at most 64 KiB; ``session`` goes on to show what it was.
  ///
  /// - Throws: ``SceneError/Code/tooLarge``, ``SceneError/Code/storageFull``,
  ///   ``SceneError/Code/sessionNotHeld`` if the scene is over,
  ///   ``SceneError/Code/applicationStopped``. What there was before then stays.
  public func setUserInfo(_ userInfo: UserInfo) async throws(SceneError) {
    _ = try await reply(
      to: .setUserInfo(
        SetUserInfo(session: identifier, userInfo: CarriedObject(unchecked: userInfo.raw))))
  }

  /// Gives the session another name, of at most 1 KiB, or none.
  ///
  /// - Throws: ``SceneError/Code/nameInUse`` if another session is called so,
  ///   ``SceneError/Code/invalidParams`` for what is no name, and what ``setUserInfo(_:)`` throws.
  public func setName(_ name: String?) async throws(SceneError) {
    _ = try await reply(to: .setName(SetName(session: identifier, name: name)))
  }

  /// Where the session keeps files of its own: drafts, caches, what is too large for an activity.
  ///
  /// The directory is made when it is first asked for, for this user alone. It stays as it is while
  /// the session has no scene, and goes when the session is discarded: what belongs to the user and
  /// not to this window has its place elsewhere.
  ///
  /// - Returns: An absolute path.
  /// - Throws: ``SceneError/Code/storageFull``; ``SceneError/Code/requestDenied`` if it cannot be
  ///   made; ``SceneError/Code/sessionNotHeld`` if the scene is over;
  ///   ``SceneError/Code/applicationStopped``.
  public func dataDirectory() async throws(SceneError) -> String {
    let request = ClientRequest.dataDirectory(DataDirectory(session: identifier))
    guard case .dataDirectory(let reply) = try await reply(to: request) else {
      throw SceneError.unexpectedReply
    }
    return reply.path
  }

  /// Keeps the scene from being reclaimed while it is in the background, as UIKit's background tasks
  /// do, for as long as something has to come to its end there.
  ///
  /// - Parameters:
  ///   - name: what it is for, for whoever looks.
  ///   - duration: after so long it is over by itself; at most a day.
  /// - Returns: What ends it.
  /// - Throws: ``SceneError/Code/invalidParams`` for a time that is not allowed,
  ///   ``SceneError/Code/tooMany``, ``SceneError/Code/sessionNotHeld`` if the scene is over,
  ///   ``SceneError/Code/applicationStopped``.
  public func beginAssertion(
    named name: String, for duration: Duration
  ) async throws(SceneError) -> Assertion {
    let (seconds, attoseconds) = duration.components
    let request = BeginAssertion(
      session: identifier, name: name, seconds: Double(seconds) + Double(attoseconds) / 1e18)
    guard case .asserted(let reply) = try await reply(to: .beginAssertion(request)) else {
      throw SceneError.unexpectedReply
    }
    return Assertion(scene: self, number: reply.assertion)
  }

  /// What keeps a scene from being reclaimed until it is ended, its time is over, or the scene is.
  public struct Assertion: Sendable {
    fileprivate let scene: Scene
    fileprivate let number: Int64

    /// Ends it. To end one that is over already does nothing.
    public func end() async {
      _ = try? await scene.reply(to: .endAssertion(EndAssertion(assertion: number)))
    }
  }
}
