import SceneModel

/// Who wants to be told when nothing is under way.
struct Settler: Equatable {
  let asker: Asker
  /// The processes whose scenes do not count.
  let except: Set<Int64>
}

/// Telling when nothing is under way.
extension Broker {
  mutating func settle(_ message: Settle, _ asker: Asker) {
    guard asker.request != nil else { return }
    settlers.append(Settler(asker: asker, except: Set(message.except ?? [])))
  }

  mutating func answerSettlers() {
    guard !settlers.isEmpty else { return }
    // What no exception ends.
    guard creations.isEmpty, !waiting.waitForProcesses, topics.areSynced else { return }
    let busy = busyHolders
    let waits = settlers.map { settler in busy.contains { counts($0, settler) } }
    if waits.contains(false) { announceAllChanges() }
    for (settler, waits) in zip(settlers, waits) where !waits {
      replyAboutAll(settler.asker, .empty)
    }
    settlers = zip(settlers, waits).filter(\.1).map(\.0)
  }

  /// Who holds scenes that are not at rest. A request that waits for a session waits for one of
  /// these, or for what only time can end.
  var busyHolders: Set<ConnectionIdentifier> {
    Set(scenes.values.lazy.filter { !$0.isAtRest }.map(\.holder))
  }

  private func counts(_ holder: ConnectionIdentifier, _ settler: Settler) -> Bool {
    guard holder != settler.asker.connection else { return false }
    guard !settler.except.isEmpty, let pid = peers[holder]?.client?.pid else { return true }
    return !settler.except.contains(pid)
  }
}
