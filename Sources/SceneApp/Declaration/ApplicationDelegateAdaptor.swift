/// The application delegate. It runs in its own process: `hello --application-delegate`.
///
/// Corresponds to `SwiftUI.UIApplicationDelegateAdaptor`. The delegate of that adaptor is in the
/// process of the scenes.
public struct ApplicationDelegateAdaptor: SceneContent {
  /// The declarations of the delegate.
  public let declarations: SceneDeclarations

  /// Declares the class of the application delegate. Corresponds to
  /// `SwiftUI.UIApplicationDelegateAdaptor.init(_:)`.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - required: whether scenes wait for the delegate at the start of the broker.
  public init<Delegate: MainApplicationDelegate>(
    _ type: Delegate.Type, required: Bool = false
  ) {
    var declarations = SceneDeclarations()
    declarations.delegates = [(required, { @Sendable in Delegate() })]
    self.declarations = declarations
  }
}
