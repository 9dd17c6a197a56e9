import SceneBroker
import SceneModel
import SceneServer

/// The data directories of sessions, which outlive the daemon.
final class SimulatedDirectories: DataDirectoryKeeper {
  private let model: Model
  /// For each directory, how often its session had been discarded before.
  private(set) var all: [SessionIdentifier: Int] = [:]

  /// Directories of discarded sessions that a daemon left behind at its end. If the journal has no
  /// record of the discard any more, no later daemon removes the directory.
  private(set) var left: Set<SessionIdentifier> = []

  init(_ model: Model) { self.model = model }

  func make(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    all[session] = model.discards[session] ?? 0
    return .path("/data/\(session)")
  }

  func takeFound() -> [SessionIdentifier] { all.keys.sorted() }

  func remove(_ sessions: [SessionIdentifier]) {
    for session in sessions {
      guard let count = all.removeValue(forKey: session) else { continue }
      model.saw("removed a directory")
      // A session that was adopted again has no files of the discarded one.
      model.check(
        !isKept(session) || count < model.discards[session] ?? 0,
        "\(session.short) exists, and its directory is removed")
    }
  }

  func noteEnd() { left.formUnion(all.keys.filter { !isKept($0) }) }

  /// At a start, the daemon removes the directories of the sessions that the journal discards.
  func clear(of discarded: [SessionIdentifier]) {
    for session in discarded where !isKept(session) { all[session] = nil }
  }

  func isKept(_ session: SessionIdentifier) -> Bool {
    let state = model.ledger.state
    return state.contains(session) || state.trash[session] != nil
  }
}
