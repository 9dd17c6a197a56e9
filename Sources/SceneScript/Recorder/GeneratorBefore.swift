import SceneModel

/// The sessions that exist before the recording begins.
extension ScriptGenerator {
  /// Adds steps that create these sessions in their likely state.
  mutating func addInitialSessions(_ entries: [TraceEntry]) {
    var known: Set<SessionIdentifier> = []
    for (index, entry) in entries.enumerated() {
      guard let session = entry.session, known.insert(session).inserted, !entry.isFirstOfSession
      else { continue }
      register(session, entry)
      make(session, entry, entries[index...].filter { $0.session == session })
    }
    // The initial sessions and the recording get one section each.
    pendingTitle = steps.count > 1 ? "The recording." : nil
  }

  private mutating func make(
    _ session: SessionIdentifier, _ entry: TraceEntry, _ log: [TraceEntry]
  ) {
    let last = recording.sessions?.first { $0.session == session }?.state
    let start = InitialSceneState(log, last)
    // A later `activate` finds its host by this process identifier.
    let process = (entry.client ?? log.first { $0.event == .connected }?.client)?.pid ?? 0
    var words = ["client"] + clients.start(process, session)
    if !start.isForeground { words.append("--background") }
    if steps.count == 1 { pendingTitle = "The state before the recording, as far as it is known." }
    add(RecordedStep(.line(words.joined(separator: " ")), isTraced: false))
    let saved = log.first { $0.event == .saved }?.generation.map { $0 - 1 }
    let before = entry.event == .connected ? entry.generation : saved
    if let generation = before ?? recording.activities[session]?.keys.max(), generation > 0 {
      save(generation, of: session, isAttached: true)
    }
    guard let name = clients.holder(of: session)?.name else { return }
    switch start {
    case .active, .background: attached.insert(session)
    case .interrupted:
      attached.insert(session)
      add(RecordedStep(.control("interrupt", [clients.label(session)]), isTraced: false))
    case .killed: end(session, "kill \(name)")
    case .closed: end(session, "\(name): close")
    case .reclaimed:
      add(RecordedStep(.control("reclaim", [clients.label(session)]), isTraced: false))
    }
  }

  private mutating func end(_ session: SessionIdentifier, _ line: String) {
    add(RecordedStep(.line(line)))
    clients.change(session) { $0.isFinished = true }
  }
}

extension TraceEntry {
  /// Whether the session is new, or has its first scene.
  fileprivate var isFirstOfSession: Bool {
    event == .created || event == .connected && reason == ConnectReason.launch.rawValue
  }
}
