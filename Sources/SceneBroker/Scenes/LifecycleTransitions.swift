package import SceneModel

/// The steps of the life cycle. Its four states are in one line, so there is one path between any
/// two states, with one callback for each step.
package enum LifecycleTransitions {
  /// The callback of the first step from one state toward another; nil if the two are the same.
  package static func next(
    from state: ActivationState, toward target: ActivationState
  ) -> CallbackKind? {
    if state < target { return up(from: state) }
    if state > target { return down(from: state) }
    return nil
  }

  /// Whether a scene in this state can have the callback.
  static func allows(_ callback: CallbackKind, in state: ActivationState) -> Bool {
    if callback.arrival == nil { return state > .unattached }
    return up(from: state) == callback || down(from: state) == callback
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
