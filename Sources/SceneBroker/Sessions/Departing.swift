import SceneModel

/// Sessions that are discarded but whose scene is still on its way down: listed, with their names
/// taken, until it is gone.
struct Departing {
  private(set) var sessions: [SessionIdentifier: StoredSession] = [:]
  private(set) var names: [String: SessionIdentifier] = [:]

  var count: Int { sessions.count }

  subscript(session: SessionIdentifier) -> StoredSession? { sessions[session] }

  func contains(_ session: SessionIdentifier) -> Bool { sessions[session] != nil }

  mutating func insert(_ session: StoredSession) {
    sessions[session.attributes.identifier] = session
    if let name = session.attributes.name { names[name] = session.attributes.identifier }
  }

  /// Whether it was among them.
  mutating func remove(_ identifier: SessionIdentifier) -> Bool {
    guard let session = sessions.removeValue(forKey: identifier) else { return false }
    if let name = session.attributes.name { names[name] = nil }
    return true
  }
}
