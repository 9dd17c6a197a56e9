/// The highest state of all scenes of the application, in any client. Corresponds to
/// `ScenePhase` and `UIApplication.State`.
public enum ApplicationPhase: String, Hashable, Sendable, CaseIterable {
  /// A scene is in the foreground and takes input. Corresponds to `ScenePhase.active`.
  case active
  /// A scene is in the foreground, and no scene takes input. Corresponds to
  /// `ScenePhase.inactive`.
  case inactive
  /// No scene is in the foreground. Corresponds to `ScenePhase.background`.
  case background

  /// The phase of an application with scenes in these states; background without scenes.
  package init(highest state: ActivationState) {
    switch state {
    case .foregroundActive: self = .active
    case .foregroundInactive: self = .inactive
    case .background, .unattached: self = .background
    }
  }
}

extension ApplicationPhase: JSONCodable {
  package static var expectation: String { "a phase (active, inactive or background)" }
}
