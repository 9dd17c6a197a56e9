import SceneModel

/// Discarded sessions whose scenes have not ended. They are listed, and their names are in use.
struct DiscardingSessions {
  private(set) var sessions: [SessionIdentifier: StoredSession] = [:]
  private(set) var names: [String: SessionIdentifier] = [:]

  var count: Int { sessions.count }

  subscript(session: SessionIdentifier) -> StoredSession? { sessions[session] }

  func contains(_ session: SessionIdentifier) -> Bool { sessions[session] != nil }

  mutating func insert(_ session: StoredSession) {
    sessions[session.attributes.identifier] = session
    if let name = session.attributes.name { names[name] = session.attributes.identifier }
  }

  /// Returns false if there is no such session.
  mutating func remove(_ identifier: SessionIdentifier) -> Bool {
    guard let session = sessions.removeValue(forKey: identifier) else { return false }
    if let name = session.attributes.name { names[name] = nil }
    return true
  }
}
