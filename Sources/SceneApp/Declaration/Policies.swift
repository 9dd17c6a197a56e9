import SceneClient

/// The number of scenes in the foreground. The scene that was activated first leaves first. Without
/// this declaration, any number of scenes is in the foreground. SwiftUI has no counterpart.
public struct ForegroundPolicy: SceneContent {
  /// The declarations of the policy.
  public let declarations: SceneDeclarations

  /// Sets the maximum number of scenes in the foreground.
  ///
  /// - Parameter count: the number of scenes, 1 to 100,000.
  public init(atMost count: Int) { declarations = SceneDeclarations(.foreground(atMost: count)) }
}

/// The scenes in the background that the broker disconnects by itself. Their sessions stay. Without
/// this declaration, all scenes stay connected. SwiftUI has no counterpart.
public struct ReclaimPolicy: SceneContent {
  /// The declarations of the policy.
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

/// The time that a delegate has for a call. SwiftUI has no counterpart.
public struct Budget: SceneContent {
  /// The name of a budget.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// The name of the budget in the manifest.
    public let rawValue: String

    /// Makes a name from its text in the manifest: the name of a callback.
    ///
    /// - Parameter rawValue: the text, such as `willEnterForeground`.
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

/// The application delegate. It runs in its own process: `hello --application-delegate`.
///
/// Corresponds to `SwiftUI.UIApplicationDelegateAdaptor`. The delegate of that adaptor is in the
/// process of the scenes.
public struct ApplicationDelegateAdaptor: SceneContent {
  /// The declarations of the delegate.
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
