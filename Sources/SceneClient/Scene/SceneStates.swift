package import SceneModel

extension Scene {
  /// The state of a scene. The raw values are those of UIKit. Corresponds to
  /// `UIScene.ActivationState`.
  public enum ActivationState: Int, Hashable, Sendable, CaseIterable {
    /// The scene is not connected. Corresponds to `UIScene.ActivationState.unattached`.
    case unattached = -1
    /// The scene is in the foreground and takes input. Corresponds to
    /// `UIScene.ActivationState.foregroundActive`.
    case foregroundActive = 0
    /// The scene is in the foreground without input: in a transition, interrupted, or on an
    /// external display. Corresponds to `UIScene.ActivationState.foregroundInactive`.
    case foregroundInactive = 1
    /// The scene is not visible. The broker may disconnect it at any time. Corresponds to
    /// `UIScene.ActivationState.background`.
    case background = 2
  }

  /// The reason of a disconnection.
  public enum DisconnectReason: String, Hashable, Sendable {
    /// The client requested the disconnection.
    case clientRequest
    /// The connection was lost and the scene could not resume: the application was stopped, or
    /// another client had the session.
    case connectionLost
    /// The broker reclaimed the scene; it may connect again at any time.
    case reclaimed
    /// The session was discarded.
    case discarded
    /// Another client has the session now.
    case replaced
    /// The delegate refused the scene.
    case refused
    /// A call of the delegate exceeded its time.
    case watchdog
    /// The client did not read its messages: by default, more than 1 MiB waited for 10 s, or more
    /// than 8 MiB waited.
    case slowReader
    /// The client sent more to save than the disk could take.
    case diskBehind
    /// The client broke the protocol.
    case violation
    /// The application ended in order. The session connects again here when the application
    /// returns.
    case shutdown
    /// Another reason, of a newer broker.
    case unknown

    package init(_ reason: SceneModel.DisconnectReason) {
      self = Self(rawValue: reason.rawValue) ?? .unknown
    }
  }

  /// The exit of a process that the broker launched.
  public enum ProcessExit: Hashable, Sendable {
    /// An exit with this status, 0 to 255.
    case exited(Int)
    /// An exit by a signal: its name without `SIG`, such as `KILL`, or its number.
    case signalled(String)
  }
}

extension Scene {
  /// How the last scene of a session ended.
  public struct LastEnd: Hashable, Sendable {
    /// Why the scene ended.
    public let reason: DisconnectReason
    /// How the process ended; nil if the broker does not know it.
    public let exit: ProcessExit?
    /// The number of seconds since 1970 at which the scene ended.
    public let timeIntervalSince1970: Double
    /// The generation of the saved activity when this scene connected, which
    /// `scenectl history` lists.
    public let generation: Int

    init(_ end: SceneModel.LastEnd.Content) {
      reason = DisconnectReason(end.outcome.reason)
      exit = end.outcome.exit.map(ProcessExit.init)
      timeIntervalSince1970 = Double(end.time) / 1000
      generation = Int(end.generation)
    }
  }
}

extension Scene.ProcessExit {
  init(_ exit: ClientExit) {
    self = exit.signal.map { .signalled($0) } ?? .exited(Int(exit.status ?? 0))
  }
}

extension Scene.ActivationState {
  package var onTheWire: SceneModel.ActivationState {
    switch self {
    case .unattached: .unattached
    case .background: .background
    case .foregroundInactive: .foregroundInactive
    case .foregroundActive: .foregroundActive
    }
  }
}

extension Scene.ActivationState: CustomStringConvertible {
  public var description: String { onTheWire.rawValue }
}
