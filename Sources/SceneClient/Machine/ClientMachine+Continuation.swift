import SceneModel

/// An activation that connects a lost session to this client before its `resume`.
///
/// The activation gives the session the next hold, so the broker refuses the `resume` with the old
/// hold. If the new hold follows the old one directly, no other client had the session in between,
/// and this process has the newest state. The scene then continues under the new hold. Its program
/// sees neither an end nor a new connection:
///
/// - The client saves unconfirmed activities again, under the new hold.
/// - The broker has the scene in the background. A scene in the foreground is interrupted, moved to
///   the background and asked for its activity. The broker or this client then moves it back.
/// - The scene receives the connection options as separate callbacks.
///
/// If another client had the session in between, that client's state is newer. The old scene ends,
/// its delegate receives the activities that were not saved, and a new scene connects.
extension ClientMachine {
  func canContinue(_ scene: ClientScene, with message: WillConnect) -> Bool {
    !scene.holdState.isHeld && scene.isFollowed(by: message.hold)
  }

  mutating func continueScene(_ message: WillConnect, _ identifier: RequestIdentifier) {
    let session = message.session
    guard let scene = scenes[session] else { return }
    let carried = takeCarried(of: session)
    scenes[session]?.saves.takeBackAll(carried: carried)
    scenes[session]?.hold = message.hold
    scenes[session]?.holdState.activated()
    backoffs[session] = nil
    actions.append(.send(.answer(identifier, .done)))
    actions.append(.update(.resumed(session)))
    sendNextSave(of: session)
    observeAgain(session)
    if scene.state > .background { interrupt(session, scene) }
    if scenes[session]?.needsActivityRequest == true { requestActivity(session, scene) }
    for content in message.options.contents {
      for callback in content.callbacks(to: session) { call(callback, of: scene) }
    }
    if isStopping { close(session) }
  }

  private mutating func interrupt(_ session: SessionIdentifier, _ scene: ClientScene) {
    if scene.state == .foregroundActive {
      call(Callback(.willResignActive, of: session), of: scene)
    }
    call(Callback(.didEnterBackground, of: session), of: scene)
    scenes[session]?.state = .background
    scenes[session]?.needsActivityRequest = true
    ask(ClientRequest(SceneTransition(session: session, to: .foregroundActive)), nil)
  }

  /// Removes and returns the activity of a pending resume that the broker will refuse.
  mutating func takeCarried(of session: SessionIdentifier) -> Activity? {
    for (number, request) in pending {
      guard case .resume(session, let message, let carried) = request else { continue }
      pending[number] = .resume(session, message, carried: nil)
      return carried
    }
    for (index, request) in waiting.enumerated() {
      guard case .resume(session, _, let carried) = request else { continue }
      waiting.remove(at: index)
      return carried
    }
    return nil
  }
}
