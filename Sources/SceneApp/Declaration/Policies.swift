import SceneClient

/// The number of scenes in the foreground. The scene that was activated first leaves first. Without
/// this declaration, any number of scenes is in the foreground.
public struct ForegroundPolicy: SceneContent {
  /// The policy.
  public let declarations: SceneDeclarations

  /// Sets the maximum number of scenes in the foreground.
  ///
  /// - Parameter count: the number of scenes, 1 to 100,000.
  public init(atMost count: Int) { declarations = SceneDeclarations(.foreground(atMost: count)) }
}

/// The scenes in the background that the broker disconnects by itself. Their sessions stay. Without
/// this declaration, all scenes stay connected.
public struct ReclaimPolicy: SceneContent {
  /// The policy.
  public let declarations: SceneDeclarations

  /// Sets the scenes in the background that stay connected.
  ///
  /// - Parameters:
  ///   - count: the number of scenes that stay, 0 to 1,000,000: those that entered the background
  ///     last; nil for all.
  ///   - age: the time that a scene stays, 1 ms to 365 days; nil for any time.
  public init(count: Int? = nil, age: Duration? = nil) {
    declarations = SceneDeclarations(.reclaim(count: count, age: age))
  }
}

/// The time that a delegate has for a call.
public struct Budget: SceneContent {
  /// The name of a budget.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// The name in the manifest.
    public let rawValue: String

    /// A budget by its name in the manifest: a callback's name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `scene(_:willConnectTo:options:)`; by default as the connection, 20 s.
    public static let willConnect = Name(rawValue: "willConnect")
    /// The time until a client has accepted a new scene; by default 20 s.
    public static let connect = Name(rawValue: "connect")
    /// All other calls; by default 5 s.
    public static let `default` = Name(rawValue: "default")
    /// `stateRestorationActivity(for:)`.
    public static let stateRestorationActivity = Name(rawValue: "stateRestorationActivity")
    /// `sceneDidDisconnect(_:)`.
    public static let didDisconnect = Name(rawValue: "didDisconnect")
  }

  /// The budget.
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

/// The application delegate. It runs in its own process: `hello --application-delegate`.
/// Corresponds to SwiftUI's UIApplicationDelegateAdaptor, whose delegate is in the process of the
/// scenes.
public struct ApplicationDelegateAdaptor: SceneContent {
  /// The delegate.
  public let declarations: SceneDeclarations

  /// Declares the class of the application delegate.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - required: whether scenes wait for the delegate at the start of the broker.
  public init<Delegate: MainApplicationDelegate>(
    _ type: Delegate.Type, required: Bool = false
  ) {
    var declarations = SceneDeclarations()
    declarations.delegates = [
      SceneDeclarations.DeclaredDelegate(isRequired: required) { Delegate() }
    ]
    self.declarations = declarations
  }
}

extension SceneDeclarations {
  fileprivate init(_ policy: DeclaredPolicy) {
    self.init()
    policies = [policy]
  }
}
