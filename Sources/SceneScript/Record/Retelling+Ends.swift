import SceneModel

/// Scenes that end, and processes that go.
extension Retelling {
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
      if !isExpected, let holder = cast.holder(of: session) {
        add(RecordedAct(.line("\(holder.name): close"), isTraced: false))
        note("\(holder.name) gave its scene up without being called; here it is closed.")
      }
      cast.change(session) { $0.isOver = true }
    case .replaced: break
    case .discarded, .watchdog: cast.change(session) { $0.isOver = true }
    default:
      note(
        "\(cast.label(session)) was cut off (\(reason.rawValue)), which no line of a script does.")
      lose(client)
    }
  }

  mutating func leave(_ client: ClientReference, _ reason: String?) {
    if reason == DisconnectReason.shutdown.rawValue { return stop() }
    let isKnown = cast.players.contains { $0.process == client.pid }
    if !isKnown, client.name == "scene", !isSeenAgain(client.pid) {
      note(.withoutScene(client: client.name, process: client.pid))
    }
    lose(client)
  }

  /// A process is gone, unless it has only lost its connection.
  private mutating func lose(_ client: ClientReference) {
    guard !isStopping else { return }
    if isSeenAgain(client.pid) {
      let isKnown = cast.players.contains { $0.process == client.pid && !$0.isOver }
      return note(
        isKnown ? "\(client.name) \(client.pid) lost its connection, which no line does." : nil)
    }
    for name in cast.end(client.pid) {
      add(RecordedAct(.line("kill \(name)"), heading: "\(name) is killed."))
    }
  }
}
