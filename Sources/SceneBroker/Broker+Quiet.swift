import SceneModel

/// Who wants to be told when nothing is under way.
struct Settler: Equatable {
  let asker: Asker
  /// The processes whose scenes do not count.
  let except: [Int64]
}

/// Telling when nothing is under way.
extension Broker {
  mutating func settle(_ message: Settle, _ asker: Asker) {
    guard asker.request != nil else { return }
    settlers.append(Settler(asker: asker, except: message.except ?? []))
  }

  mutating func answerSettlers() {
    guard !settlers.isEmpty else { return }
    let quiet = settlers.filter(isQuiet)
    guard !quiet.isEmpty else { return }
    settlers.removeAll { quiet.contains($0) }
    for settler in quiet { replyAboutAll(settler.asker, .empty) }
  }

  /// Whether no walk is under way and nothing is queued, but for the scenes that do not count and
  /// what only time can end.
  private func isQuiet(_ settler: Settler) -> Bool {
    let decidable = waiting.requests.contains {
      guard case .session(let identifier) = $0.cause else { return true }
      return reserved[identifier] == nil
        && scenes[identifier].map { counts($0.holder, settler) } ?? true
    }
    return !decidable && creations.isEmpty
      && scenes.values.allSatisfy { $0.isAtRest || !counts($0.holder, settler) }
  }

  private func counts(_ holder: ConnectionIdentifier, _ settler: Settler) -> Bool {
    guard holder != settler.asker.connection else { return false }
    guard !settler.except.isEmpty, let pid = peers[holder]?.client?.pid else { return true }
    return !settler.except.contains(pid)
  }
}
