package import SceneModel

/// One start of a program, different from all other starts of this broker.
package struct LaunchIdentifier: Hashable, Sendable {
  package let number: UInt64
}

/// A program that the event loop is to start, so that its process takes a session.
package struct LaunchRequest: Equatable, Sendable {
  package var identifier: LaunchIdentifier
  package var session: SessionIdentifier
  package var command: LaunchCommand
  /// The variables of the user's login, which replace those of the broker.
  package var environment = LoginEnvironment()
}
