import SceneModel

/// The ends of scenes and processes.
extension ScriptGenerator {
  mutating func disconnect(_ session: SessionIdentifier, _ entry: TraceEntry) {
    guard let reason = entry.reason.map(DisconnectReason.init(rawValue:)), let client = entry.client
    else { return }
    attached.remove(session)
    let isExpected = leaving.remove(session) != nil
    switch reason {
    case .connectionLost: lose(client)
    case .shutdown: stop()
    case .reclaimed: break
    case .clientRequest:
      if !isExpected, let holder = clients.holder(of: session) {
        add(RecordedStep(.line("\(holder.name): close"), isTraced: false))
        note("\(holder.name) disconnected its scene by itself; the script closes the scene.")
      }
      clients.change(session) { $0.isFinished = true }
    case .replaced: break
    case .discarded, .watchdog: clients.change(session) { $0.isFinished = true }
    default:
      note(
        "The broker disconnected \(clients.label(session)) (\(reason.rawValue)); the script cannot "
          + "reproduce this.")
      lose(client)
    }
  }

  mutating func leave(_ client: ClientReference, _ reason: String?) {
    if reason == DisconnectReason.shutdown.rawValue { return stop() }
    let isKnown = clients.all.contains { $0.process == client.pid }
    if !isKnown, client.name == "scene", !reconnectsLater(client.pid) {
      note(.withoutScene(client: client.name, process: client.pid))
    }
    lose(client)
  }

  /// Ends a process, unless it reconnects later.
  private mutating func lose(_ client: ClientReference) {
    guard !isStopping else { return }
    if reconnectsLater(client.pid) {
      let isKnown = clients.all.contains { $0.process == client.pid && !$0.isFinished }
      return note(
        isKnown
          ? "\(client.name) \(client.pid) lost its connection; the script cannot reproduce this."
          : nil)
    }
    for name in clients.end(client.pid) {
      add(RecordedStep(.line("kill \(name)"), heading: "\(name) is killed."))
    }
  }
}
