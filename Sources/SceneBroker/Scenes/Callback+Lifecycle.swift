package import SceneModel

/// Builds the callbacks of the life cycle.
extension Callback {
  /// The callback of a life-cycle step. `session` is listed.
  static func step(
    _ step: CallbackKind, _ scene: SceneStateMachine, of session: StoredSession,
    _ manifest: Manifest
  ) -> Callback {
    let identifier = session.attributes.identifier
    switch step {
    case .willConnect: return Callback(step, WillConnect(scene, of: session, manifest))
    case .didDisconnect:
      let intent = scene.intent
      var message = DidDisconnect(session: identifier, reason: intent?.reason ?? .clientRequest)
      message.host = intent?.host
      message.dismissalAnimation = intent?.dismissalAnimation
      return Callback(step, message)
    default:
      precondition(step.arrival != nil, "\(step) is not a life-cycle step")
      return Callback(step, of: identifier)
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
    lastEnd = session.hold.lastEnd
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
    switch kind {
    case .ping: ping
    case .willConnect: special[kind.rawValue] ?? connect
    default: special[kind.rawValue] ?? standard
    }
  }
}
