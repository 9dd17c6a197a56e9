import SceneModel

/// No scene is held by two processes, and none by one that has gone.
struct HolderRule: StandingRule {
  private var holders: [SessionIdentifier: ClientReference] = [:]
  private var connections = ProcessConnections()

  mutating func begin(_ life: StagedStory.Life) {
    holders = [:]
    connections = ProcessConnections()
  }

  mutating func take(_ entry: TraceEntry) -> String? {
    switch entry.event {
    case .connected:
      guard let session = entry.session, let client = entry.client else { return nil }
      defer { holders[session] = client }
      return holders[session].map { "\(client.label) was given it while \($0.label) had it" }
    case .disconnected:
      if let session = entry.session { holders[session] = nil }
    case .callback, .acknowledged:
      guard let holder = entry.session.flatMap({ holders[$0] }), let client = entry.client,
        client != holder
      else { return nil }
      return "\(client.label) was called for it while \(holder.label) had it"
    case .joined:
      if let client = entry.client { connections.join(client.pid) }
    case .left:
      return entry.client.flatMap { leave($0) }
    default:
      break
    }
    return nil
  }

  private mutating func leave(_ client: ClientReference) -> String? {
    guard connections.leave(client.pid), holders.values.contains(client) else { return nil }
    return "it has gone, and still has a scene"
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    // Every client has gone by then, and the broker knows.
    sessions.compactMap { session in
      session.client.map { (session.session, "\($0.label) has gone, and still has it") }
    }
  }
}
