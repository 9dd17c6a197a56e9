import SceneModel

/// Callbacks follow the line, one at a time, and each from where the client has acknowledged the
/// scene to be.
struct LineRule: StandingRule {
  fileprivate struct Walk {
    /// Where the scene may be: of one that resumed only its client knows.
    var states: Set<ActivationState>
    /// What is not answered yet.
    var running: CallbackKind?
    /// Whether it came to the background and was not asked for its activity since.
    var mayBeAsked = false
    /// What is wrong unless somebody else has given the scene up.
    var doubt: String?
  }

  private var walks: [SessionIdentifier: Walk] = [:]

  mutating func begin(_ life: StagedStory.Life) { walks = [:] }

  mutating func take(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    let kind = entry.callback.flatMap(CallbackKind.init(rawValue:))
    switch entry.event {
    case .connected:
      walks[session] = Walk(states: Self.beginnings(of: entry))
    case .disconnected:
      let doubt = walks.removeValue(forKey: session)?.doubt
      return entry.by == nil ? doubt : nil
    case .callback:
      guard let kind else { return nil }
      guard walks[session] != nil else { return "\(kind) without a scene" }
      return walks[session]?.call(kind, entry.reason.map(DisconnectReason.init(rawValue:)))
    case .acknowledged, .failed:
      // With a reason it is not the callback that failed, but what was to be done with its answer.
      guard let kind, entry.reason == nil else { return nil }
      guard walks[session] != nil else { return "\(kind) was answered without a scene" }
      return walks[session]?.answer(kind)
    case .overran:
      // Only this question is given up; after anything else the scene ends.
      if kind == .stateRestorationActivity { walks[session]?.running = nil }
    default:
      break
    }
    return nil
  }

  private static func beginnings(of entry: TraceEntry) -> Set<ActivationState> {
    guard entry.reason == ConnectReason.resume.rawValue else { return [.unattached] }
    // One that was in the background stays there.
    if entry.state == .background { return [.background] }
    return [.foregroundInactive, .foregroundActive]
  }
}

extension LineRule.Walk {
  fileprivate mutating func call(_ kind: CallbackKind, _ reason: DisconnectReason?) -> String? {
    defer { running = kind }
    if kind == .didDisconnect, running == .didDisconnect { return "didDisconnect came twice" }
    if kind == .didDisconnect, let reason, isCut(because: reason) { return nil }
    let problem = problem(with: kind)
    if kind == .didDisconnect, reason == .clientRequest {
      doubt = problem
      return nil
    }
    return problem
  }

  /// Whether a scene may end for this reason wherever it is.
  private func isCut(because reason: DisconnectReason) -> Bool {
    switch reason {
    case .watchdog, .replaced: true
    // As long as it answers it goes down in order.
    case .shutdown: running != nil
    default: false
    }
  }

  private mutating func problem(with kind: CallbackKind) -> String? {
    if let running { return "\(kind) came while \(running) was not answered" }
    let places = states.filter { isAllowed(kind, in: $0) }
    let found = states
    if kind == .stateRestorationActivity { mayBeAsked = false }
    guard places.isEmpty else {
      states = places
      return nil
    }
    let names = found.sorted().map(\.rawValue).joined(separator: " or ")
    return "\(kind) came in \(names), where the line does not have it"
  }

  private func isAllowed(_ kind: CallbackKind, in state: ActivationState) -> Bool {
    switch kind {
    case .stateRestorationActivity: state == .background && mayBeAsked
    case .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      state > .unattached
    case .willConnect, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .didDisconnect:
      LineStep(kind)?.start == state
    }
  }

  fileprivate mutating func answer(_ kind: CallbackKind) -> String? {
    guard running == kind else { return "\(kind) was answered, which was not asked" }
    running = nil
    if let state = LineStep(kind)?.arrival { states = [state] }
    mayBeAsked = kind == .didEnterBackground
    return nil
  }
}
