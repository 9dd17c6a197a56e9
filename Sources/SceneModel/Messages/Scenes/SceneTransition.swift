/// Moves a scene to another state. The broker answers when the scene has reached it or was
/// diverted.
package struct SceneTransition: RequestMessage {
  package static var method: StaticString { "scene/transition" }
  package static var permission: Permission { .changers }
  package var isIdempotent: Bool { true }

  package var session: SessionIdentifier = .none
  package var to: ActivationState = .background
  /// The reason of a move to unattached.
  package var reason: DisconnectReason?
  /// Why the client ends, if the user did not close the scene.
  package var cause: DisconnectCause?
  /// With `windowClosed`: the number of the hold that ended.
  package var hold: Int64?

  package init() {}

  package init(
    session: SessionIdentifier, to: ActivationState, reason: DisconnectReason? = nil,
    cause: DisconnectCause? = nil, hold: Int64? = nil
  ) {
    self.session = session
    self.to = to
    self.reason = reason
    self.cause = cause
    self.hold = hold
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("to", &to)
    try visitor.optional("reason", &reason)
    try visitor.optional("cause", &cause)
    try visitor.optional("hold", &hold)
  }

  /// The state of the scene.
  package struct Reply: JSONStructure, Equatable, Sendable {
    package var state: ActivationState = .unattached

    package init() {}

    package init(state: ActivationState) {
      self.state = state
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("state", &state)
    }
  }
}
