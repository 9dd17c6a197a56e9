import SceneModel

/// A new session whose configuration is not decided.
struct PendingSession: Equatable {
  let identifier: SessionIdentifier
  let name: String?
  let role: Role
  /// The name of the requested configuration.
  let wantedConfiguration: String?
  let userInfo: OpaqueObject
  let title: String?
  var program: SessionProgram?
  let purpose: Purpose
  let requester: Requester

  enum Purpose: Equatable {
    /// The requester becomes the scene.
    case connect(ActivationState?, ConnectionOptions)
    /// The broker chooses a host.
    case activate(ActivationReason)
  }

  /// The connection options of the scene.
  var options: ConnectionOptions {
    switch purpose {
    case .connect(_, let options): options
    case .activate(let activation): activation.options
    }
  }
}

/// A new session that waits for the process that it begins with.
struct ConfiguredSession: Equatable {
  let pending: PendingSession
  let resolved: ResolvedConfiguration

  /// The attributes of the session, without its creator and time of pending.
  var attributes: SessionAttributes {
    var attributes = SessionAttributes(
      identifier: pending.identifier, name: pending.name, role: pending.role,
      configuration: resolved.configuration, userInfo: resolved.userInfo, title: pending.title,
      program: pending.program)
    attributes.isConfiguredByDelegate = resolved.isDescribed
    return attributes
  }
}

/// The content of a new session, by the manifest or the application delegate.
struct ResolvedConfiguration: Equatable {
  var configuration: SceneConfiguration
  /// Whether the application delegate described it, so that no manifest has it.
  var isDescribed = false
  /// The configuration that was wanted, if there is none of that name.
  var missing: String?
  /// The kind that the application delegate named, if this version does not know it.
  var unknownKind: String?
  var userInfo: OpaqueObject
}
