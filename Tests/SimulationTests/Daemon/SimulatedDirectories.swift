import SceneBroker
import SceneModel
import SceneServer

/// The data directories of sessions, which outlive the daemon.
final class SimulatedDirectories: DataDirectoryKeeper {
  private let model: Model
  /// For each directory, how often its session had been discarded before.
  private(set) var all: [SessionIdentifier: Int] = [:]

  /// Directories of discarded sessions whose scenes had not ended.
  private var marked: Set<SessionIdentifier> = []
  /// Directories that can stay: the daemon ended before it marked them, or a power cut took the
  /// mark.
  private(set) var left: Set<SessionIdentifier> = []

  init(_ model: Model) { self.model = model }

  func make(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    all[session] = model.discards[session] ?? 0
    return .path("/data/\(session)")
  }

  func takeFound() -> [SessionIdentifier] { all.keys.sorted() }

  func mark(_ session: SessionIdentifier) {
    guard all[session] != nil else { return }
    marked.insert(session)
    model.saw("marked a directory")
  }

  func remove(_ sessions: [SessionIdentifier]) {
    for session in sessions {
      guard let count = all.removeValue(forKey: session) else { continue }
      marked.remove(session)
      model.saw("removed a directory")
      // A session that was adopted again has no files of the discarded one.
      model.check(
        !isKept(session) || count < model.discards[session] ?? 0,
        "\(session.short) exists, and its directory is removed")
    }
  }

  func noteEnd(unmarked: [SessionIdentifier], byPowerCut: Bool) {
    left.formUnion(unmarked)
    if byPowerCut {
      left.formUnion(marked)
      marked = []
    }
  }

  /// At a start, the daemon removes the directories of the sessions that the journal discards, and
  /// of those that the earlier daemon marked.
  func clear(of discarded: [SessionIdentifier]) {
    for session in marked.union(discarded) where !isKept(session) { all[session] = nil }
    marked = []
  }

  func isKept(_ session: SessionIdentifier) -> Bool {
    let state = model.ledger.state
    return state.contains(session) || state.trash[session] != nil
  }
}
