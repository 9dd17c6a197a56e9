public import SceneClient
import SceneModel

/// Any number of windows of one kind. Corresponds to `SwiftUI.WindowGroup`.
public struct WindowGroup: SceneContent {
  /// The declared scenes. Corresponds to `SwiftUI.Scene.body`.
  public let declarations: SceneDeclarations

  /// Declares any number of windows of one kind. Corresponds to
  /// `SwiftUI.WindowGroup.init(id:content:)`.
  ///
  /// - Parameters:
  ///   - id: the name of the kind, of its configuration and of its delegate class in the
  ///     manifest; at most 256 bytes, and unique in the application. Nil is the delegate's class.
  ///   - sceneClass: a kind of scene that only the application understands, at most 256 bytes; nil
  ///     for none.
  ///   - storyboard: a reference to initial content that only the application understands, at most
  ///     256 bytes; nil for none.
  ///   - delegate: makes the delegate of each scene.
  public init<Delegate: SceneDelegate>(
    id: String? = nil, sceneClass: String? = nil, storyboard: String? = nil,
    delegate: @escaping @Sendable () -> Delegate
  ) {
    declarations = SceneDeclarations(
      .group, id: id ?? "\(Delegate.self)", sceneClass: sceneClass, storyboard: storyboard, delegate
    )
  }
}

/// One window of the application. Corresponds to `SwiftUI.Window`.
public struct Window: SceneContent {
  /// The declared scene. Corresponds to `SwiftUI.Scene.body`.
  public let declarations: SceneDeclarations

  /// Declares one window. Corresponds to `SwiftUI.Window.init(_:id:content:)`.
  ///
  /// - Parameters:
  ///   - id: the name of the window, of its configuration and of its delegate class in the
  ///     manifest; at most 256 bytes, and unique in the application. Nil is the delegate's class.
  ///   - sceneClass: a kind of scene that only the application understands, at most 256 bytes; nil
  ///     for none.
  ///   - storyboard: a reference to initial content that only the application understands, at most
  ///     256 bytes; nil for none.
  ///   - delegate: makes the delegate of each scene.
  public init<Delegate: SceneDelegate>(
    id: String? = nil, sceneClass: String? = nil, storyboard: String? = nil,
    delegate: @escaping @Sendable () -> Delegate
  ) {
    declarations = SceneDeclarations(
      .window, id: id ?? "\(Delegate.self)", sceneClass: sceneClass, storyboard: storyboard,
      delegate)
  }
}

/// The settings of the application: one window without restored state. Corresponds to
/// `SwiftUI.Settings`.
public struct Settings: SceneContent {
  /// The declared scene. Corresponds to `SwiftUI.Scene.body`.
  public let declarations: SceneDeclarations

  /// Declares the settings. Corresponds to `SwiftUI.Settings.init(content:)`.
  ///
  /// - Parameters:
  ///   - id: the name in the manifest, at most 256 bytes.
  ///   - delegate: makes the delegate of each scene. The broker requests no activity from it, and
  ///     passes none.
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
