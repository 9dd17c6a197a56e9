public import SceneClient
import SceneModel

/// Any number of windows of one kind. Corresponds to `SwiftUI.WindowGroup`.
public struct WindowGroup: SceneContent {
  /// The declared scenes. Corresponds to `SwiftUI.Scene.body`.
  public let declarations: SceneDeclarations

  /// Declares any number of windows of one kind. Corresponds to
  /// `SwiftUI.WindowGroup.init(_:id:content:)`.
  ///
  /// - Parameters:
  ///   - title: the title of a new window, at most 1 KiB; nil for none.
  ///   - id: the name of the kind, of its configuration and of its delegate class in the
  ///     manifest; at most 256 bytes, and unique in the application. Nil is the delegate's class.
  ///   - sceneClass: a kind of scene that only the application understands, at most 256 bytes; nil
  ///     for none.
  ///   - storyboard: a reference to initial content that only the application understands, at most
  ///     256 bytes; nil for none.
  ///   - delegate: makes the delegate of each scene.
  public init<Delegate: SceneDelegate>(
    _ title: String? = nil, id: String? = nil, sceneClass: String? = nil,
    storyboard: String? = nil, delegate: @escaping @Sendable () -> Delegate
  ) {
    declarations = SceneDeclarations(
      .group, title, id: id ?? "\(Delegate.self)", sceneClass: sceneClass, storyboard: storyboard
    ) { _ in delegate() }
  }

  /// Declares a window for each value of a type, such as the identifier of a document. Corresponds
  /// to `SwiftUI.WindowGroup.init(_:id:for:content:)`.
  ///
  /// The value is the name of the session: a text itself, another value as JSON. If the
  /// application declares several groups with values, the names of all but the first group begin
  /// with the `id` of the group and a slash. A character that a name cannot have is escaped, as in
  /// `%3D`.
  ///
  /// - Parameters:
  ///   - title: the title of a new window, at most 1 KiB; nil for none.
  ///   - id: the name of the kind, at most 256 bytes, and unique in the application. Nil is the
  ///     delegate's class.
  ///   - type: the type of the values. A value has at most 1 KiB as JSON.
  ///   - delegate: makes the delegate of each scene. Its value is nil for a session without a name,
  ///     and for a name that is no value of the type.
  public init<Delegate: SceneDelegate, Value: Codable & Hashable & Sendable>(
    _ title: String? = nil, id: String? = nil, for type: Value.Type,
    delegate: @escaping @Sendable (Value?) -> Delegate
  ) {
    let id = id ?? "\(Delegate.self)"
    var declarations = SceneDeclarations(
      .group, title, id: id, sceneClass: nil, storyboard: nil
    ) { scene in delegate(WindowValue.value(type, named: scene.session.name, in: id)) }
    declarations.scenes[0].valueType = ObjectIdentifier(type)
    self.declarations = declarations
  }
}

/// One window of the application. Corresponds to `SwiftUI.Window`.
public struct Window: SceneContent {
  /// The declared scene. Corresponds to `SwiftUI.Scene.body`.
  public let declarations: SceneDeclarations

  /// Declares one window. Corresponds to `SwiftUI.Window.init(_:id:content:)`.
  ///
  /// - Parameters:
  ///   - title: the title of a new window, at most 1 KiB; nil for none.
  ///   - id: the name of the window, of its configuration and of its delegate class in the
  ///     manifest; at most 256 bytes, and unique in the application. Nil is the delegate's class.
  ///   - sceneClass: a kind of scene that only the application understands, at most 256 bytes; nil
  ///     for none.
  ///   - storyboard: a reference to initial content that only the application understands, at most
  ///     256 bytes; nil for none.
  ///   - delegate: makes the delegate of each scene.
  public init<Delegate: SceneDelegate>(
    _ title: String? = nil, id: String? = nil, sceneClass: String? = nil,
    storyboard: String? = nil, delegate: @escaping @Sendable () -> Delegate
  ) {
    declarations = SceneDeclarations(
      .window, title, id: id ?? "\(Delegate.self)", sceneClass: sceneClass, storyboard: storyboard
    ) { _ in delegate() }
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
    declarations = SceneDeclarations(.settings, nil, id: id, sceneClass: nil, storyboard: nil) {
      _ in delegate()
    }
  }
}

extension SceneDeclarations {
  fileprivate init(
    _ kind: ConfigurationKind, _ title: String?, id: String, sceneClass: String?,
    storyboard: String?, _ delegate: @escaping SceneApplication.DelegateMaker
  ) {
    let configuration = SceneModel.SceneConfiguration(
      name: id, delegateClass: id, sceneClass: sceneClass, storyboard: storyboard, kind: kind)
    self.init([Declaration(configuration: configuration, title: title, makeDelegate: delegate)])
  }
}
