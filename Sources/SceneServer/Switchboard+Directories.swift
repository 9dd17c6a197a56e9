import SceneBroker
import SceneModel

/// The directories of sessions: made at once, removed when it is on the disk that the session is
/// gone.
extension Switchboard {
  func changeDirectories() {
    for change in carried.dataDirectories {
      switch change {
      case .make(let session): handle(.dataDirectoryMade(session, made(session)))
      case .remove(let session, let after): abandoned.append((session, after))
      }
    }
    removeDirectories()
  }

  private func made(_ session: SessionIdentifier) -> DataDirectoryOutcome {
    directories?.make(session)
      ?? .refused(.requestDenied, "this broker keeps no files for sessions")
  }

  /// Those whose end is on the disk by now.
  func removeDirectories() {
    guard !abandoned.isEmpty else { return }
    let ready = abandoned.prefix { $0.after <= durable }
    for (session, _) in ready { directories?.remove(session) }
    abandoned.removeFirst(ready.count)
  }
}
