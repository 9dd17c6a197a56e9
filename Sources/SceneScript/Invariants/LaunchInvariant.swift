import SceneModel

/// The broker launches one process at a time for a session, and a limited number in a row.
struct LaunchInvariant: Invariant {
  /// The launched process that does not have its scene yet.
  private var started: [SessionIdentifier: ClientReference] = [:]
  /// The number of launches in a row without success.
  private var vain: [SessionIdentifier: Int] = [:]

  private static let most = 5
  private static let decision = CallbackKind.willConnect.rawValue

  mutating func begin(_ run: RunHistory.BrokerRun) {
    started = [:]
    vain = [:]
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    switch entry.event {
    case .launched: return start(entry, session)
    // The process has accepted or refused the scene.
    case .acknowledged where entry.callback == Self.decision,
      .failed where entry.callback == Self.decision, .launchFailed:
      started[session] = nil
      vain[session] = nil
    // Another process connected the scene first.
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
      return "the broker launched a process while \(before.label) was still starting"
    }
    guard let count = vain[session], count > Self.most else { return nil }
    return "the broker launched \(count) processes in a row without success"
  }
}
