import SceneModel

/// For a session one process is started at a time, and not for ever.
struct LaunchRule: StandingRule {
  /// The process that was started for a session and has not had it yet.
  private var started: [SessionIdentifier: ClientReference] = [:]
  /// How many in a row have not.
  private var vain: [SessionIdentifier: Int] = [:]

  private static let most = 5
  private static let decision = CallbackKind.willConnect.rawValue

  mutating func begin(_ life: StagedStory.Life) {
    started = [:]
    vain = [:]
  }

  mutating func take(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    switch entry.event {
    case .launched: return start(entry, session)
    // It has the scene, or would not have it.
    case .acknowledged where entry.callback == Self.decision,
      .failed where entry.callback == Self.decision, .launchFailed:
      started[session] = nil
      vain[session] = nil
    // Somebody else was quicker.
    case .connected: if entry.client?.pid != started[session]?.pid { started[session] = nil }
    case .exited: if entry.client?.pid == started[session]?.pid { started[session] = nil }
    default: break
    }
    return nil
  }

  private mutating func start(_ entry: TraceEntry, _ session: SessionIdentifier) -> String? {
    defer { started[session] = entry.client }
    vain[session, default: 0] += 1
    if let before = started[session] {
      return "a process was started for it while \(before.label) was under way"
    }
    guard let count = vain[session], count > Self.most else { return nil }
    return "\(count) processes in a row were started for it in vain"
  }
}
