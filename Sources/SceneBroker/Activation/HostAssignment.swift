import SceneModel

/// The search for a host of a session that the application wants in a process.
struct HostAssignment: Equatable {
  var activation: ActivationReason
  var target: ActivationState
  var isNew: Bool
  var missingConfiguration: String?
  /// Whether a control activated the session.
  var isByControl = false
  /// The hosts that the broker has tried, in order.
  var attemptedHosts: [ConnectionIdentifier] = []
  /// The number of processes that the broker has started for the session.
  var startCount = 0
  /// The launch of the process that has the session now.
  var launch: LaunchIdentifier?

  init(_ activation: ActivationReason, _ role: Role, isNew: Bool) {
    self.activation = activation
    target = activation.background ? .background : role.ceiling
    self.isNew = isNew
  }
}
