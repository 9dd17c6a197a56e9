import SceneModel

/// Telling when nothing is under way.
extension Broker {
  mutating func settle(_ asker: Asker) {
    guard asker.request != nil else { return }
    settlers.append(asker)
  }

  mutating func answerSettlers() {
    guard !settlers.isEmpty else { return }
    let quiet = settlers.filter { isQuiet(but: $0.connection) }
    guard !quiet.isEmpty else { return }
    settlers.removeAll { quiet.contains($0) }
    for asker in quiet { replyAboutAll(asker, .empty) }
  }

  /// Whether no walk is under way and nothing is queued, but for the scenes of one client and what
  /// only time can end.
  private func isQuiet(but connection: ConnectionIdentifier) -> Bool {
    let decidable = waiting.requests.contains {
      guard case .session(let identifier) = $0.cause else { return true }
      return reserved[identifier] == nil && scenes[identifier]?.holder != connection
    }
    return !decidable && creations.isEmpty
      && scenes.values.allSatisfy { $0.isAtRest || $0.holder == connection }
  }
}
