import SceneClient
import SceneModel
import ScenePlatform

/// A process whose scene was reclaimed: reports the end of the session, and the next session.
extension SceneController {
  /// The session may have been discarded while the broker was away.
  func checkReclaimedSession() {
    let session = state.withLock { $0.isReclaimed ? $0.session : nil }
    guard let session else { return }
    client?.request(SessionShow(session: session)) { [self] result in
      guard case .failure(let error) = result, error.code == .sessionNotFound else { return }
      miss(session, isUnknown: true)
    }
  }

  /// Reports a discarded session. This process waits for another one.
  func miss(_ session: SessionIdentifier, isUnknown: Bool) {
    client?.enqueue(session) { [self] in
      let isOurs = state.withLock { state in
        guard state.isReclaimed, state.session == session else { return false }
        state.isReclaimed = false
        return true
      }
      if isOurs { tell(.idle(session, .discarded, isUnknown: isUnknown)) }
    }
  }

  /// Reports a scene of another session than the last one.
  func reportSessionChange(_ callback: Callback) {
    guard let message = callback.message as? WillConnect else { return }
    let last = state.withLock { $0.session }
    if let last, last != message.session { tell(.exchanged(message)) }
  }
}
