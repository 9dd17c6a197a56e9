import SceneClient

/// Reads a value of the application's environment. Corresponds to SwiftUI's Environment.
///
/// ```swift
/// @Environment(\.scenePhase) private var scenePhase
/// ```
@propertyWrapper
public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>

  /// Reads the value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The current value.
  public var wrappedValue: Value { EnvironmentValues()[keyPath: keyPath] }
}

/// The values of the application's environment. Corresponds to SwiftUI's EnvironmentValues.
public struct EnvironmentValues: Sendable {
  init() {}

  /// The highest state of all scenes of the application; `background` before the program serves
  /// scenes. Use `onChange(of:_:)` to follow it.
  public var scenePhase: ScenePhase {
    SceneApplication.sharedIfPresent?.phase.current ?? .background
  }
}
