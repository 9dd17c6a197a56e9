package import SceneModel

/// The life cycle is a line of four states. There is one way from each to each, one callback a
/// step.
package enum Line {
  /// The callback of the first step from one state toward another; nil if it is there.
  package static func next(
    from state: ActivationState, toward target: ActivationState
  ) -> CallbackKind? {
    if state < target { return up(from: state) }
    if state > target { return down(from: state) }
    return nil
  }

  private static func up(from state: ActivationState) -> CallbackKind? {
    switch state {
    case .unattached: .willConnect
    case .background: .willEnterForeground
    case .foregroundInactive: .didBecomeActive
    case .foregroundActive: nil
    }
  }

  private static func down(from state: ActivationState) -> CallbackKind? {
    switch state {
    case .foregroundActive: .willResignActive
    case .foregroundInactive: .didEnterBackground
    case .background: .didDisconnect
    case .unattached: nil
    }
  }
}
