package import SceneModel

extension SceneHost {
  /// The end of a scene whose delegate has been told.
  package struct SceneEnd: Sendable {
    package var session: SessionIdentifier
    /// The name of the session, or a short identifier.
    package var name: String
    package var reason: Scene.DisconnectReason
    /// The reason of a refused scene, and whether its delegate refused it.
    package var refusal: (message: String, isOfDelegate: Bool)?
  }
}
