import SceneModel

/// A callback that changes the state of a scene, with the states before and after.
///
/// This table is independent of the broker's table, so that a bug in that table is found. A test
/// compares both.
struct StateTransition: Equatable {
  let start: ActivationState
  let arrival: ActivationState

  /// Nil for a callback that does not change the state.
  init?(_ callback: CallbackKind) {
    switch callback {
    case .willConnect: (start, arrival) = (.unattached, .background)
    case .willEnterForeground: (start, arrival) = (.background, .foregroundInactive)
    case .didBecomeActive: (start, arrival) = (.foregroundInactive, .foregroundActive)
    case .willResignActive: (start, arrival) = (.foregroundActive, .foregroundInactive)
    case .didEnterBackground: (start, arrival) = (.foregroundInactive, .background)
    case .didDisconnect: (start, arrival) = (.background, .unattached)
    default: return nil
    }
  }
}

extension TraceEntry {
  /// The callback of a scene; nil for one of the application delegate.
  var sceneCallback: CallbackKind? {
    callback.flatMap(CallbackKind.init(rawValue:)).flatMap { $0.isOfDelegate ? nil : $0 }
  }
}
