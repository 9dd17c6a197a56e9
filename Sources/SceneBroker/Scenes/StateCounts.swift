import SceneModel

/// The number of scenes in each state.
struct StateCounts: Equatable {
  private var background = 0
  private var foregroundInactive = 0
  private var foregroundActive = 0

  mutating func add(_ state: ActivationState) { count(state, 1) }
  mutating func remove(_ state: ActivationState) { count(state, -1) }

  private mutating func count(_ state: ActivationState, _ change: Int) {
    switch state {
    case .unattached: break
    case .background: background += change
    case .foregroundInactive: foregroundInactive += change
    case .foregroundActive: foregroundActive += change
    }
  }

  var highest: ActivationState {
    if foregroundActive > 0 { return .foregroundActive }
    if foregroundInactive > 0 { return .foregroundInactive }
    return background > 0 ? .background : .unattached
  }
}
