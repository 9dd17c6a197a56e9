import SceneModel

/// Any number of windows of one kind.
public struct WindowGroup: SceneContent {
  /// The scenes it stands for.
  public let declarations: SceneDeclarations

  /// Declares them.
  ///
  /// - Parameters:
  ///   - id: what the manifest calls this kind, its configuration and its delegate class; at most
  ///     256 bytes, and no two kinds of an application the same.
  ///   - sceneClass: a kind of scene that only the application understands.
  ///   - storyboard: a reference to initial content that only the application understands.
  ///   - delegate: makes the delegate of each scene.
  public init(
    id: String, sceneClass: String? = nil, storyboard: String? = nil,
    delegate: @escaping SceneApplication.DelegateFactory
  ) {
    declarations = SceneDeclarations(
      .group, id: id, sceneClass: sceneClass, storyboard: storyboard, delegate)
  }
}

/// A window of which there is one.
public struct Window: SceneContent {
  /// The scenes it stands for.
  public let declarations: SceneDeclarations

  /// Declares it; see ``WindowGroup/init(id:sceneClass:storyboard:delegate:)``.
  public init(
    id: String, sceneClass: String? = nil, storyboard: String? = nil,
    delegate: @escaping SceneApplication.DelegateFactory
  ) {
    declarations = SceneDeclarations(
      .window, id: id, sceneClass: sceneClass, storyboard: storyboard, delegate)
  }
}

/// The application's settings: one window, which begins afresh each time.
public struct Settings: SceneContent {
  /// The scenes it stands for.
  public let declarations: SceneDeclarations

  /// Declares it.
  ///
  /// - Parameters:
  ///   - id: what the manifest calls it.
  ///   - delegate: makes the delegate of each scene. It is not asked for an activity, and given none.
  public init(
    id: String = "Settings", delegate: @escaping SceneApplication.DelegateFactory
  ) {
    declarations = SceneDeclarations(.settings, id: id, sceneClass: nil, storyboard: nil, delegate)
  }
}

extension SceneDeclarations {
  fileprivate init(
    _ kind: ConfigurationKind, id: String, sceneClass: String?, storyboard: String?,
    _ delegate: @escaping SceneApplication.DelegateFactory
  ) {
    let configuration = SceneModel.SceneConfiguration(
      name: id, delegateClass: id, sceneClass: sceneClass, storyboard: storyboard, kind: kind)
    self.init([Declaration(configuration: configuration, makeDelegate: delegate)])
  }
}
