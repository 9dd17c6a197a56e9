import SceneModel

/// The values with which a client becomes the scene of a session.
struct ConnectOptions {
  var isNew = false
  var reason: ConnectReason
  /// The first target of the scene; nil for the highest state of its role.
  var target: ActivationState?
  var options: ConnectionOptions
  /// The requested configuration, if the manifest has none of that name.
  var missingConfiguration: String?
  var title: String?
  var program: SessionProgram?
  var assignment: HostAssignment?
  /// The requester that becomes the scene. It gets the hold in its reply.
  var requester: Requester?
  /// The requester of a scene in another client.
  var activator: Requester?
}

extension ConnectOptions {
  /// The scene of a session whose host did not request it.
  init(_ assignment: HostAssignment, target: ActivationState, by requester: Requester? = nil) {
    self.init(
      isNew: assignment.isNew, reason: assignment.activation.reason, target: target,
      options: assignment.activation.options,
      missingConfiguration: assignment.missingConfiguration, assignment: assignment,
      activator: requester)
  }
}
