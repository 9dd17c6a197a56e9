import SceneClient
import SceneModel
import ScenePlatform

/// A process that has had a scene and waits: what becomes of the session meanwhile, and whose scene
/// it has next.
extension ShellScene {
  /// The session may have been discarded while the broker was away.
  func lookAfterSession() {
    let session = state.withLock { $0.isPutAway ? $0.session : nil }
    guard let session else { return }
    client?.request(.show(SessionShow(session: session))) { [self] result in
      guard case .failure(let error) = result, error.code == .sessionNotFound else { return }
      miss(session, isUnknown: true)
    }
  }

  /// The session is gone. This process waits on, as one that can have another.
  func miss(_ session: SessionIdentifier, isUnknown: Bool) {
    client?.enqueue(session) { [self] in
      let isOurs = state.withLock { state in
        guard state.isPutAway, state.session == session else { return false }
        state.isPutAway = false
        return true
      }
      if isOurs { tell(.idle(session, .discarded, isUnknown: isUnknown)) }
    }
  }

  /// Says whose scene begins, if it is not that of the session before.
  func tellIfExchanged(_ callback: Callback) {
    guard case .willConnect(let message) = callback else { return }
    let last = state.withLock { $0.session }
    if let last, last != message.session { tell(.exchanged(message)) }
  }
}
