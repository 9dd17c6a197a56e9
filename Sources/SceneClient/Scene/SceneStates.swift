package import SceneModel

extension Scene {
  /// Where a scene is on the line from no process at all to the foreground.
  public enum ActivationState: Int, Hashable, Sendable, CaseIterable {
    case unattached = -1
    case foregroundActive = 0
    case foregroundInactive = 1
    case background = 2
  }

  /// Why a scene was disconnected. There may be reasons that this version does not know.
  public struct DisconnectReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The client wanted it.
    public static let clientRequest = Self(rawValue: "clientRequest")
    /// The broker was lost, and the scene could not go on.
    public static let connectionLost = Self(rawValue: "connectionLost")
    /// Its place was needed; it may come back any time.
    public static let reclaimed = Self(rawValue: "reclaimed")
    /// The session is gone for good.
    public static let discarded = Self(rawValue: "discarded")
    /// Another client has the session now.
    public static let replaced = Self(rawValue: "replaced")
    /// A call of the delegate took too long.
    public static let watchdog = Self(rawValue: "watchdog")
    /// The application ended in order.
    public static let shutdown = Self(rawValue: "shutdown")
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
