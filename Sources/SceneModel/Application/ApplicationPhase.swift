/// The phase of the application: the highest state of its scenes.
package enum ApplicationPhase: String, Sendable, CaseIterable {
  case active
  case inactive
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
