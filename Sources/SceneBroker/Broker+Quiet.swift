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
    guard !isShuttingDown else { return refuse(asker, shuttingDown) }
    settlers.append(Settler(asker: asker, except: Set(message.except ?? [])))
  }

  mutating func answerSettlers() {
    guard !settlers.isEmpty else { return }
    // What no exception ends. Of a program that is started only time tells whether it comes.
    guard !waiting.waitForProcesses, topics.areSynced else { return }
    let busy = busyHolders
    let waits = settlers.map { settler in busy.contains { counts($0, settler) } }
    if waits.contains(false) { announceAllChanges() }
    for (settler, waits) in zip(settlers, waits) where !waits {
      replyAboutAll(settler.asker, .empty)
    }
    settlers = zip(settlers, waits).filter(\.1).map(\.0)
  }

  /// Who holds scenes that are not at rest, and the application delegate while it is asked. A request
  /// that waits for a session waits for one of these, or for what only time can end; so does one that
  /// waits for the delegate.
  var busyHolders: Set<ConnectionIdentifier> {
    var busy = Set(scenes.values.lazy.filter { !$0.isAtRest }.map(\.holder))
    if let delegate, delegate.running != nil { busy.insert(delegate.connection) }
    return busy
  }

  private func counts(_ holder: ConnectionIdentifier, _ settler: Settler) -> Bool {
    guard holder != settler.asker.connection else { return false }
    guard !settler.except.isEmpty, let pid = peers[holder]?.client?.pid else { return true }
    return !settler.except.contains(pid)
  }
}
