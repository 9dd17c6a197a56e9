import SceneModel

extension SceneApplication {
  /// The highest that any scene of the application has reached, whichever client has it.
  public enum Phase: Hashable, Sendable {
    case active, inactive, background
  }

  /// How the connection to the broker is.
  public enum ConnectionState: Hashable, Sendable {
    case connecting
    case connected
    /// The broker is not there, or no longer; attempts go on.
    case waiting
    case stopped
  }

  /// The application's phase, and each time it changes.
  public var phase: StateSequence<Phase> { StateSequence(host.phases) }

  /// For whoever wants to know; scenes go on by themselves when the broker is back.
  public var connectionState: StateSequence<ConnectionState> { StateSequence(host.connection) }

  /// The scenes that this process has.
  public var connectedScenes: Set<Scene> { Set(host.scenes) }
}

extension SceneApplication.Phase {
  init(_ phase: ApplicationPhase) {
    switch phase {
    case .active: self = .active
    case .inactive: self = .inactive
    case .background: self = .background
    }
  }
}

extension SceneApplication.ConnectionState {
  init(_ phase: LinkPhase) {
    switch phase {
    case .connecting: self = .connecting
    case .connected: self = .connected
    case .waiting: self = .waiting
    case .stopped: self = .stopped
    }
  }
}
