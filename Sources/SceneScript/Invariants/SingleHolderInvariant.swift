import SceneModel

/// One process at most holds a scene, and that process is connected.
struct SingleHolderInvariant: Invariant {
  private var holders: [SessionIdentifier: ClientReference] = [:]
  private var connections = ProcessConnections()

  mutating func begin(_ run: RunHistory.BrokerRun) {
    holders = [:]
    connections = ProcessConnections()
  }

  mutating func check(_ entry: TraceEntry) -> String? {
    switch entry.event {
    case .connected:
      guard let session = entry.session, let client = entry.client else { return nil }
      defer { holders[session] = client }
      return holders[session].map { "\(client.label) received the scene while \($0.label) held it" }
    case .disconnected:
      if let session = entry.session { holders[session] = nil }
    case .callback, .acknowledged:
      guard let holder = entry.session.flatMap({ holders[$0] }), let client = entry.client,
        client.pid != holder.pid
      else { return nil }
      return "\(client.label) received a callback while \(holder.label) held the scene"
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
    guard connections.leave(client.pid), holders.values.contains(where: { $0.pid == client.pid })
    else { return nil }
    return "the process left but still holds a scene"
  }

  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem] {
    // At the end every client has disconnected.
    sessions.compactMap { session in
      session.client.map { (session.session, "\($0.label) left but still holds the scene") }
    }
  }
}
