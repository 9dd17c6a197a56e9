package import SceneModel

/// The configuration of a scene: an entry of the manifest, or the choice of the application
/// delegate. Corresponds to `UISceneConfiguration`.
public struct SceneConfiguration: Hashable, Sendable {
  /// The name of the configuration in the manifest, at most 256 bytes. Nil if an application
  /// delegate changes the default configuration of the role. Corresponds to
  /// `UISceneConfiguration.name`.
  public var name: String?
  /// The role of the scenes; nil for the role of the session. The broker refuses a choice with
  /// another role than the session's. Corresponds to `UISceneConfiguration.role`.
  public var role: SceneSession.Role?
  /// The name of the delegate class, as passed to ``SceneApplication``; at most 256 bytes.
  /// Corresponds to `UISceneConfiguration.delegateClass`.
  public var delegateClass: String?
  /// A kind of scene that only the application understands; at most 256 bytes. Corresponds to
  /// `UISceneConfiguration.sceneClass`.
  public var sceneClass: String?
  /// A reference to initial content that only the application understands; at most 256 bytes.
  /// Corresponds to `UISceneConfiguration.storyboard`.
  public var storyboard: String?

  /// Makes a configuration for an application delegate to choose. The manifest's configuration of
  /// that name adds the other members; without a name, the default configuration of the role does.
  /// Corresponds to `UISceneConfiguration.init(name:sessionRole:)`.
  ///
  /// - Parameters:
  ///   - name: the name in the manifest, at most 256 bytes; nil for the default configuration.
  ///   - sessionRole: the role; nil for the role of the session.
  ///   - delegateClass: the name of the delegate class, at most 256 bytes.
  ///   - sceneClass: a kind of scene, at most 256 bytes.
  ///   - storyboard: a reference to initial content, at most 256 bytes.
  public init(
    name: String? = nil, sessionRole: SceneSession.Role? = nil, delegateClass: String? = nil,
    sceneClass: String? = nil, storyboard: String? = nil
  ) {
    self.name = name
    role = sessionRole
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
    self.storyboard = storyboard
  }

  package init(_ configuration: SceneModel.SceneConfiguration, for role: SceneSession.Role) {
    name = configuration.name
    self.role = role
    delegateClass = configuration.delegateClass
    sceneClass = configuration.sceneClass
    storyboard = configuration.storyboard
  }
}
