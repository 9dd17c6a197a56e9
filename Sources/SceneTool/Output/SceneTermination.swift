import SceneModel

/// The final end of a scene.
struct SceneTermination: Equatable, Sendable {
  var session: SessionIdentifier
  var reason: DisconnectReason
  /// The callback of a watchdog timeout.
  var callback: CallbackKind?
  /// Whether the session was also discarded.
  var isDiscarded = false
  /// Whether a restarted broker does not know the session, so that the reason is unknown.
  var isUnknown = false
  /// The host that gets the session.
  var host: String?
}
