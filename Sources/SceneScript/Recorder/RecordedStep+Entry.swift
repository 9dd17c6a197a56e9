import SceneModel

/// The parts of a step that a trace entry determines.
extension RecordedStep.Call {
  /// A callback of a script's client. `isLaunched`: the broker launched the recorded process.
  init(
    _ callback: CallbackKind, _ entry: TraceEntry, _ session: SessionIdentifier,
    _ scriptClient: String, _ isLaunched: Bool
  ) {
    self.init(scriptClient: scriptClient, session: session, name: callback.rawValue)
    // `didDisconnect` needs no answer.
    isSettled = callback == .didDisconnect
    // The script starts a launched process by a line, so the reason differs.
    let isOther = callback == .willConnect && isLaunched
    if let reason = entry.reason, !isOther, !entry.opensContent {
      conditions = ["reason=\(reason)"]
    }
  }
}

extension TraceEntry {
  /// Whether the reason is content that the trace does not contain.
  var opensContent: Bool { reason.map(Self.openingReasons.contains) ?? false }

  private static let openingReasons = Set(
    [ConnectReason.url, .continuation, .notification, .shortcut].map(\.rawValue))

  /// Whether the script does not cause this callback: it opens no content, and saves the activity
  /// of a foreign program by another verb.
  func isOmitted(_ callback: CallbackKind, afterOpening isOpened: Bool) -> Bool {
    switch callback {
    case .openURLContexts, .performActionForShortcutItem, .didReceiveNotificationResponse: true
    case .willContinueUserActivity, .continueUserActivity: isOpened
    case .didUpdateUserActivity: client?.name != "scene"
    case .willConnect, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .stateRestorationActivity, .didDisconnect, .refresh:
      false
    }
  }

  /// The verb that moves a scene to this state, for the reason of the entry.
  func verb(to state: ActivationState) -> String {
    switch state {
    case .unattached: reason == DisconnectReason.reclaimed.rawValue ? "reclaim" : "close"
    case .background:
      reason == ConnectReason.activation.rawValue ? "activate --background" : "background"
    case .foregroundInactive: "interrupt"
    case .foregroundActive: "activate"
    }
  }

  /// Whether the session is new, or has its first scene.
  var isFirstOfSession: Bool {
    event == .created || event == .connected && reason == ConnectReason.launch.rawValue
  }
}
