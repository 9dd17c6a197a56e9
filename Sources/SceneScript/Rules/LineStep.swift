import SceneModel

/// A callback that takes a scene along the line, and between which of its states.
///
/// It is written out once more, and not asked of the broker: what is wrong with its line would be
/// right here, too.
struct LineStep: Equatable {
  let start: ActivationState
  let arrival: ActivationState

  /// Nil for a callback that leaves the scene where it is.
  init?(_ callback: CallbackKind) {
    switch callback {
    case .willConnect: (start, arrival) = (.unattached, .background)
    case .willEnterForeground: (start, arrival) = (.background, .foregroundInactive)
    case .didBecomeActive: (start, arrival) = (.foregroundInactive, .foregroundActive)
    case .willResignActive: (start, arrival) = (.foregroundActive, .foregroundInactive)
    case .didEnterBackground: (start, arrival) = (.foregroundInactive, .background)
    case .didDisconnect: (start, arrival) = (.background, .unattached)
    case .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      return nil
    }
  }
}
