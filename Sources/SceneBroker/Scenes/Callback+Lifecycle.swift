package import SceneModel

/// Builds the callbacks of the life cycle.
extension Callback {
  /// The callback of a life-cycle step. `session` is listed.
  static func step(
    _ step: CallbackKind, _ scene: SceneStateMachine, of session: StoredSession,
    _ manifest: Manifest
  ) -> Callback {
    let identifier = session.attributes.identifier
    let reference = SceneReference(session: identifier)
    switch step {
    case .willConnect: return .willConnect(WillConnect(scene, of: session, manifest))
    case .willEnterForeground: return .willEnterForeground(reference)
    case .didBecomeActive: return .didBecomeActive(reference)
    case .willResignActive: return .willResignActive(reference)
    case .didEnterBackground: return .didEnterBackground(reference)
    case .didDisconnect:
      let reason = scene.intent?.reason ?? .clientRequest
      return .didDisconnect(DidDisconnect(session: identifier, reason: reason))
    case .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      preconditionFailure("\(step) is not a life-cycle step")
    }
  }

  /// The hold that the client gets.
  var hold: Int64? {
    if case .willConnect(let message) = self { message.hold } else { nil }
  }

  /// The reason that the trace names.
  var reason: String? {
    switch self {
    case .willConnect(let message): message.reason.rawValue
    case .didDisconnect(let message): message.reason.rawValue
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .stateRestorationActivity, .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      nil
    }
  }
}

extension WillConnect {
  fileprivate init(
    _ scene: SceneStateMachine, of session: StoredSession, _ manifest: Manifest
  ) {
    self.init()
    self.session = session.attributes.identifier
    sceneSession = SceneSessionRecord(session)
    isNew = scene.isNew
    reason = scene.reason
    hold = scene.hold
    options = scene.options
    let (current, isLost) = manifest.currentConfiguration(of: session.attributes)
    sceneSession.configuration = current
    missingConfiguration =
      scene.missingConfiguration ?? (isLost ? session.attributes.configuration.name : nil)
    if !manifest.restores(session) {
      sceneSession.stateRestorationActivity = nil
    } else if let withheld = session.withheld {
      self.withheld = withheld
      sceneSession.stateRestorationActivity = nil
    }
  }
}

extension Manifest {
  /// Whether the scenes of a session get its saved activity. Settings start afresh each time.
  func restores(_ session: StoredSession) -> Bool {
    currentConfiguration(of: session.attributes).configuration.kind != .settings
  }
}

extension Budgets {
  /// The time for a callback.
  package func budget(for kind: CallbackKind) -> Interval {
    special[kind.rawValue] ?? (kind == .willConnect ? connect : standard)
  }
}
