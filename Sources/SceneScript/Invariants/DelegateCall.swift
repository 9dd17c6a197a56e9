import SceneModel

/// A call that an application delegate received.
enum DelegateCall: Equatable, Sendable {
  /// A request for the configuration of a session.
  case question(SessionIdentifier)
  /// A report of discarded sessions, with its identifier.
  case report(String, [SessionIdentifier])
}
