import SceneModel

extension SceneApplication {
  /// The highest that any scene of the application has reached, whichever client has it.
  public enum Phase: Hashable, Sendable {
    /// A scene is in the foreground and takes input.
    case active
    /// A scene is in the foreground, and none takes input.
    case inactive
    /// No scene is in the foreground, or there is none.
    case background
  }

  /// How the connection to the broker is.
  public enum ConnectionState: Hashable, Sendable {
    /// The first attempt is being made.
    case connecting
    /// The broker has answered.
    case connected
    /// The broker is not there, or no longer; attempts go on, the first after at most 20 ms, later
    /// ones after at most 2 s.
    case waiting
    /// This application has ended, and makes no more attempts.
    case stopped
  }

  /// The application's phase, and each time it changes, as far as the broker has told; it ends when
  /// this application has ended.
  public var phase: StateSequence<Phase> { StateSequence(host.phases) }

  /// What happened to the application as a whole.
  public struct Notice: RawRepresentable, Hashable, Sendable {
    /// As the protocol calls it.
    public let rawValue: String
    /// One that this version has no name for, by what the protocol calls it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Memory is short: let go of what can be made again. Scenes in the background are about to be
    /// disconnected.
    public static let didReceiveMemoryWarning = Notice(rawValue: "didReceiveMemoryWarning")
    /// It is another day or another time zone, or the clock was set.
    public static let significantTimeChange = Notice(rawValue: "significantTimeChange")
  }

  /// What happens to the application as a whole from now on; it ends when this application has
  /// ended. Whoever is slow gets the newest 16.
  public var notices: AsyncStream<Notice> { host.notices.stream() }

  /// For whoever wants to know; scenes go on by themselves when the broker is back. It ends with
  /// ``ConnectionState/stopped``.
  public var connectionState: StateSequence<ConnectionState> { StateSequence(host.connection) }

  /// The scenes that this process has: from before their delegate is told that they will connect,
  /// until it is told that they have ended.
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
