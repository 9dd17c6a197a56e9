import SceneModel

/// Callbacks follow the life cycle, one at a time, each from the state that the client
/// acknowledged.
struct StateTransitionInvariant: Invariant {
  fileprivate struct Walk {
    /// The possible states. Only the client knows the state of a resumed scene.
    var states: Set<ActivationState>
    /// The callback without an answer.
    var running: CallbackKind?
    /// Whether the scene entered the background and was not asked for its activity since.
    var mayBeAsked = false
    /// A problem unless another client has disconnected the scene.
    var doubt: String?
  }

  private var transitions: [SessionIdentifier: Walk] = [:]

  mutating func begin(_ run: RunHistory.BrokerRun) { transitions = [:] }

  mutating func check(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    let kind = entry.sceneCallback
    switch entry.event {
    case .connected:
      transitions[session] = Walk(states: Self.beginnings(of: entry))
    case .disconnected:
      let doubt = transitions.removeValue(forKey: session)?.doubt
      return entry.by == nil ? doubt : nil
    case .callback:
      guard let kind else { return nil }
      guard transitions[session] != nil else { return "\(kind) was sent without a scene" }
      return transitions[session]?.call(kind, entry.reason.map(DisconnectReason.init(rawValue:)))
    case .acknowledged, .failed:
      // An entry with a reason is about the answer's effect, not about the callback.
      guard let kind, entry.reason == nil else { return nil }
      guard transitions[session] != nil else { return "\(kind) was answered without a scene" }
      return transitions[session]?.answer(kind)
    case .overran:
      // After this timeout the scene stays; after any other timeout it ends.
      if kind == .stateRestorationActivity { transitions[session]?.running = nil }
    default:
      break
    }
    return nil
  }

  private static func beginnings(of entry: TraceEntry) -> Set<ActivationState> {
    guard entry.reason == ConnectReason.resume.rawValue else { return [.unattached] }
    // A scene that was in the background resumes there.
    if entry.state == .background { return [.background] }
    return [.foregroundInactive, .foregroundActive]
  }
}

extension StateTransitionInvariant.Walk {
  fileprivate mutating func call(_ kind: CallbackKind, _ reason: DisconnectReason?) -> String? {
    defer { running = kind }
    if kind == .didDisconnect, running == .didDisconnect { return "didDisconnect was sent twice" }
    if kind == .didDisconnect, let reason, isCut(because: reason) { return nil }
    let problem = problem(with: kind)
    if kind == .didDisconnect, reason == .clientRequest {
      doubt = problem
      return nil
    }
    return problem
  }

  /// Whether a scene can end for this reason in any state.
  private func isCut(because reason: DisconnectReason) -> Bool {
    switch reason {
    case .watchdog, .replaced: true
    // A client that answers goes through all states first.
    case .shutdown: running != nil
    default: false
    }
  }

  private mutating func problem(with kind: CallbackKind) -> String? {
    if let running { return "\(kind) was sent before \(running) was answered" }
    let places = states.filter { isAllowed(kind, in: $0) }
    let found = states
    if kind == .stateRestorationActivity { mayBeAsked = false }
    guard places.isEmpty else {
      states = places
      return nil
    }
    let names = found.sorted().map(\.rawValue).joined(separator: " or ")
    return "\(kind) was sent in the state \(names), which does not allow it"
  }

  private func isAllowed(_ kind: CallbackKind, in state: ActivationState) -> Bool {
    if kind == .stateRestorationActivity { return state == .background && mayBeAsked }
    return StateTransition(kind).map { $0.start == state } ?? (state > .unattached)
  }

  fileprivate mutating func answer(_ kind: CallbackKind) -> String? {
    guard running == kind else { return "\(kind) was answered but was not sent" }
    running = nil
    if let state = StateTransition(kind)?.arrival { states = [state] }
    mayBeAsked = kind == .didEnterBackground
    return nil
  }
}
