import SceneClient

/// Reads a value of the application's environment. Corresponds to `SwiftUI.Environment`.
///
/// ```swift
/// @Environment(\.scenePhase) private var scenePhase
/// ```
@propertyWrapper
public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>

  /// Makes a reader of the value at a key path. Corresponds to `SwiftUI.Environment.init(_:)`.
  ///
  /// - Parameter keyPath: the path, such as `\.scenePhase`.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The current value. Corresponds to `SwiftUI.Environment.wrappedValue`.
  public var wrappedValue: Value { EnvironmentValues()[keyPath: keyPath] }
}

/// The values of the application's environment. Corresponds to `SwiftUI.EnvironmentValues`.
public struct EnvironmentValues: Sendable {
  init() {}

  /// The highest state of all scenes of the application; `background` before the program serves
  /// scenes. Use `onChange(of:_:)` to follow it. Corresponds to
  /// `SwiftUI.EnvironmentValues.scenePhase`.
  public var scenePhase: ScenePhase {
    SceneApplication.sharedIfPresent?.applicationState ?? .background
  }
}
