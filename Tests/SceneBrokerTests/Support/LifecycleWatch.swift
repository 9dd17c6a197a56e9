import SceneModel

@testable import SceneBroker

/// Watches each scene from outside: no two callbacks at once, and each follows from where its
/// client has acknowledged the scene to be.
struct LifecycleWatch {
  private struct Watched {
    var state: ActivationState = .unattached
    var running: (number: Int64, kind: CallbackKind)?
    var mustBeAsked = false
  }

  private struct Key: Hashable {
    let connection: ConnectionIdentifier
    let session: SessionIdentifier
  }

  private var scenes: [Key: Watched] = [:]
  /// The state in which a client resumes a scene.
  private var resuming: (key: Key, state: ActivationState)?
  private var flaws: [String] = []

  mutating func takeFlaws() -> [String] {
    defer { flaws = [] }
    return flaws
  }

  mutating func willHandle(
    _ request: any RequestMessage, from connection: ConnectionIdentifier
  ) {
    resuming = nil
    guard let message = request as? SceneConnect, let session = message.session,
      let resume = message.resume
    else { return }
    resuming = (Key(connection: connection, session: session), resume.state)
  }

  mutating func willHandle(_ event: BrokerEvent) {
    resuming = nil
    switch event {
    case .answered(let connection, let number, let answer):
      for (key, watched) in scenes
      where key.connection == connection && watched.running?.number == number {
        guard let kind = watched.running?.kind else { continue }
        scenes[key]?.running = nil
        if kind == .willConnect, case .failed = answer {
          scenes[key] = nil
        } else if let state = kind.arrival {
          scenes[key]?.state = state
          if kind == .didEnterBackground { scenes[key]?.mustBeAsked = true }
          if kind == .didDisconnect { scenes[key] = nil }
        }
      }
    case .due(.callback(let connection, let number), let halt) where halt != .debugged:
      // Only a question for the activity may be followed by something else unanswered.
      for (key, watched) in scenes
      where key.connection == connection && watched.running?.number == number
        && watched.running?.kind == .stateRestorationActivity
      {
        scenes[key]?.running = nil
      }
    case .closed(let connection, _, _):
      scenes = scenes.filter { $0.key.connection != connection }
    case .started, .opened, .finished, .due, .livenessQueried, .launched,
      .notLaunched, .exited, .exitRead, .storage, .synced, .drained, .signalled, .clockAdvanced,
      .manifestRead, .upgradeChecked, .inputEnded, .pressureWatched, .pressureReported,
      .pressureMeasured, .dataDirectoryMade, .inputTaken, .terminate:
      break
    }
  }

  mutating func sent(
    _ callback: Callback, _ number: Int64, to connection: ConnectionIdentifier
  ) {
    let key = Key(connection: connection, session: callback.session)
    let kind = callback.kind
    if kind == .ping {
      // A ping does not wait for other callbacks.
      let watched = scenes[key]
      if watched?.state ?? .unattached == .unattached || watched?.running?.kind == .didDisconnect {
        flaws.append("\(kind) without a scene")
      }
      return
    }
    var watched = scenes[key] ?? Watched()
    if kind == .didDisconnect {
      // The last callback can come at any time, but only to the holder.
      if scenes[key] == nil { flaws.append("\(kind) without a scene") }
      if watched.running?.kind == .didDisconnect { flaws.append("\(kind) twice") }
      watched.running = (number, kind)
      scenes[key] = watched
      return
    }
    if scenes[key] == nil || watched.running?.kind == .didDisconnect {
      // The scene is new: the broker did not wait for the previous client.
      watched = Watched()
      if let resuming, resuming.key == key { watched.state = resuming.state }
    }
    if let running = watched.running { flaws.append("\(kind) while \(running.kind) is out") }
    if watched.mustBeAsked, kind != .stateRestorationActivity, kind != .didDisconnect {
      watched.mustBeAsked = false
      flaws.append("\(kind) comes before the activity was asked for")
    }
    if !isAllowed(kind, watched) { flaws.append("\(kind) in \(watched.state)") }
    if kind == .stateRestorationActivity { watched.mustBeAsked = false }
    watched.running = (number, kind)
    scenes[key] = watched
  }

  private func isAllowed(_ kind: CallbackKind, _ watched: Watched) -> Bool {
    switch kind {
    case .willConnect: watched.state == .unattached
    case .willEnterForeground: watched.state == .background
    case .didBecomeActive: watched.state == .foregroundInactive
    case .willResignActive: watched.state == .foregroundActive
    case .didEnterBackground: watched.state == .foregroundInactive
    case .stateRestorationActivity: watched.state == .background && watched.mustBeAsked
    case .didDisconnect: true
    default: watched.state > .unattached
    }
  }

  /// Scenes that began or ended without a callback.
  mutating func didHandle(_ broker: borrowing Broker) {
    scenes = scenes.filter { broker.scenes[$0.key.session]?.holder == $0.key.connection }
    for (identifier, scene) in broker.scenes.all {
      let key = Key(connection: scene.holder, session: identifier)
      let isAnother = scenes[key]?.running?.kind == .didDisconnect && !scene.isLeaving
      if scenes[key] == nil || isAnother { scenes[key] = Watched(state: scene.state) }
      if scenes[key]?.state != scene.state {
        flaws.append("\(identifier) is \(scene.state), which its client has not acknowledged")
      }
    }
  }
}
