import SceneClient

/// The number of scenes in the foreground. The least recently activated scene leaves first. Without
/// this declaration, any number of scenes is in the foreground.
public struct ForegroundPolicy: SceneContent {
  /// The declarations of the policy.
  public let declarations: SceneDeclarations

  /// Sets the maximum number of scenes in the foreground.
  ///
  /// - Parameter count: the number of scenes, 1 to 100,000.
  public init(atMost count: Int) { declarations = SceneDeclarations(.foreground(atMost: count)) }
}

/// The scenes in the background that the broker disconnects by itself. Their sessions stay. Without
/// this declaration, all scenes stay connected.
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

extension SceneDeclarations {
  init(_ policy: DeclaredPolicy) {
    self.init()
    policies = [policy]
  }
}
