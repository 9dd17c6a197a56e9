package import SceneModel

extension Scene {
  /// Where a scene is on the line from no process at all to the foreground. The raw values are
  /// UIKit's.
  public enum ActivationState: Int, Hashable, Sendable, CaseIterable {
    /// It is not connected yet, or no longer.
    case unattached = -1
    /// It is in front, and takes input.
    case foregroundActive = 0
    /// It is in front, and takes no input: on its way, interrupted, or on an external display.
    case foregroundInactive = 1
    /// It is not visible, and may be disconnected whenever its place is needed.
    case background = 2
  }

  /// Why a scene was disconnected. There may be reasons that this version does not know.
  public struct DisconnectReason: RawRepresentable, Hashable, Sendable {
    /// As it is called on the wire.
    public let rawValue: String

    /// The reason of this name, whether this version knows it or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The client wanted it.
    public static let clientRequest = Self(rawValue: "clientRequest")
    /// The broker was lost, and the scene could not go on: the application was stopped meanwhile,
    /// or somebody else has had its session since.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// Its place was needed; it may come back any time.
    public static let reclaimed = Self(rawValue: "reclaimed")
    /// The session is gone for good.
    public static let discarded = Self(rawValue: "discarded")
    /// Another client has the session now.
    public static let replaced = Self(rawValue: "replaced")
    /// Its delegate would not have it.
    public static let refused = Self(rawValue: "refused")
    /// A call of the delegate took too long.
    public static let watchdog = Self(rawValue: "watchdog")
    /// It did not read what it was sent, until there was too much of it.
    public static let slowReader = Self(rawValue: "slowReader")
    /// It sent more to be saved than the disk could take.
    public static let diskBehind = Self(rawValue: "diskBehind")
    /// It said what no client may say.
    public static let violation = Self(rawValue: "violation")
    /// The application ended in order. The session gets a new scene here when the application is
    /// back.
    public static let shutdown = Self(rawValue: "shutdown")
  }

  /// How a process ended that the broker had started.
  public enum ProcessExit: Hashable, Sendable {
    /// By itself, with this status.
    case exited(Int)
    /// By a signal: its name without `SIG`, such as `KILL`, or its number where it has none.
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
