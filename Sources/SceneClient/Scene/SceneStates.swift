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

  /// The reason of a disconnection. A newer broker may have other reasons.
  public struct DisconnectReason: RawRepresentable, Hashable, Sendable {
    /// The name of the reason in the protocol.
    public let rawValue: String

    /// Makes a reason from its name, also an unknown one.
    ///
    /// - Parameter rawValue: the name in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The client requested the disconnection.
    public static let clientRequest = Self(rawValue: "clientRequest")
    /// The connection was lost and the scene could not resume: the application was stopped, or
    /// another client had the session.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// The broker reclaimed the scene; it may connect again at any time.
    public static let reclaimed = Self(rawValue: "reclaimed")
    /// The session was discarded.
    public static let discarded = Self(rawValue: "discarded")
    /// Another client has the session now.
    public static let replaced = Self(rawValue: "replaced")
    /// The delegate refused the scene.
    public static let refused = Self(rawValue: "refused")
    /// A call of the delegate exceeded its time.
    public static let watchdog = Self(rawValue: "watchdog")
    /// The client did not read its messages: by default, more than 1 MiB waited for 10 s, or more
    /// than 8 MiB waited.
    public static let slowReader = Self(rawValue: "slowReader")
    /// The client sent more to save than the disk could take.
    public static let diskBehind = Self(rawValue: "diskBehind")
    /// The client broke the protocol.
    public static let violation = Self(rawValue: "violation")
    /// The application ended in order. The session connects again here when the application
    /// returns.
    public static let shutdown = Self(rawValue: "shutdown")
  }

  /// The exit of a process that the broker launched.
  public enum ProcessExit: Hashable, Sendable {
    /// An exit with this status, 0 to 255.
    case exited(Int)
    /// An exit by a signal: its name without `SIG`, such as `KILL`, or its number.
    case signalled(String)
  }
}

extension Scene.ProcessExit {
  init(_ exit: ClientExit) {
    self = exit.signal.map { .signalled($0) } ?? .exited(Int(exit.status ?? 0))
  }
}

extension Scene.ActivationState {
  package init(_ state: SceneModel.ActivationState) {
    switch state {
    case .unattached: self = .unattached
    case .background: self = .background
    case .foregroundInactive: self = .foregroundInactive
    case .foregroundActive: self = .foregroundActive
    }
  }

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

extension Scene.DisconnectReason: CustomStringConvertible {
  public var description: String { rawValue }
}
