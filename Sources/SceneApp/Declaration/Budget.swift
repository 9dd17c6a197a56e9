import SceneClient

/// The time that a delegate has for a call.
public struct Budget: SceneContent {
  /// The name of a budget.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// The name of the budget in the manifest.
    public let rawValue: String

    /// Makes a name from its text in the manifest: the name of a callback.
    ///
    /// - Parameter rawValue: the text: `default`, `connect` or the name of a callback, such as
    ///   `willEnterForeground`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The budget of `scene(_:willConnectTo:options:)`; by default that of ``connect``.
    public static let willConnect = Name(rawValue: "willConnect")
    /// The time until a client has accepted a new scene; by default 20 s.
    public static let connect = Name(rawValue: "connect")
    /// The budget of all calls without one of their own; by default 5 s.
    public static let `default` = Name(rawValue: "default")
    /// The budget of `stateRestorationActivity(for:)`; by default that of ``default``.
    public static let stateRestorationActivity = Name(rawValue: "stateRestorationActivity")
    /// The budget of `sceneDidDisconnect(_:)`; by default that of ``default``.
    public static let didDisconnect = Name(rawValue: "didDisconnect")
  }

  /// The declarations of the budget.
  public let declarations: SceneDeclarations

  /// Sets the time of a call.
  ///
  /// - Parameters:
  ///   - name: the call.
  ///   - time: the time, 1 ms to 365 days.
  public init(_ name: Name, _ time: Duration) {
    declarations = SceneDeclarations(.budget(name: name.rawValue, time))
  }
}
