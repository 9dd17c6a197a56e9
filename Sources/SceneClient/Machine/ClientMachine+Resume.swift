import SceneModel

/// After a loss of the broker: scenes resume, or connect again.
extension ClientMachine {
  mutating func resumeScenes() {
    let later = waiting
    waiting = []
    for session in sessionsInOrder { resumeScene(session) }
    let sessions = lostSessions
    lostSessions = []
    for lost in sessions { submit(.requestLost(lost)) }
    observeAgain(nil)
    for request in later { submit(request) }
  }

  private mutating func resumeScene(_ session: SessionIdentifier) {
    guard let scene = scenes[session] else { return }
    switch scene.holdState {
    case .held, .resuming: break
    case .connectingAgain: connectAgain(session, scene)
    case .lost:
      guard scene.hasConnected else {
        // The program has no scene to resume.
        drop(session)
        return requestLater(
          LostSession(
            session: session, staysInBackground: scene.staysInBackground, options: scene.options))
      }
      // The save behind the last resume must fail before the next resume.
      guard !scene.saves.isSending else {
        return tryLater(session)
      }
      resume(session, scene)
    }
  }

  /// Requests a session from the next broker.
  mutating func requestLater(_ lost: LostSession) {
    lostSessions.removeAll { $0.session == lost.session }
    lostSessions.append(lost)
  }

  private mutating func resume(_ session: SessionIdentifier, _ scene: ClientScene) {
    scenes[session]?.holdState.resumeSent()
    var message = SceneConnect(
      session: session, resume: Resume(state: scene.state, hold: scene.hold))
    // A removal, and a save with a completion, need a separate save request.
    let next = scene.saves.next
    message.activity = next == nil ? scene.saves.unconfirmed : next?.activity
    let isCarried = message.activity != nil && next?.tokens.isEmpty != false
    if isCarried { scenes[session]?.saves.next = nil }
    submit(.resume(session, message, carried: isCarried ? message.activity : nil))
    sendNextSave(of: session)
  }

  mutating func finishResume(
    of session: SessionIdentifier, _ message: SceneConnect, _ carried: Activity?,
    _ result: Result<BrokerReply, SceneError>
  ) {
    guard let scene = scenes[session], scene.holdState.isResuming else { return }
    switch result {
    case .success:
      scenes[session]?.holdState.resumed()
      backoffs[session] = nil
      scenes[session]?.staysInBackground =
        message.resume?.state == .background && !scene.mustEnterForeground
      if let carried {
        scenes[session]?.saves.unconfirmed = nil
        actions.append(.saved(session, carried))
      }
      actions.append(.update(.resumed(session)))
      if scene.needsActivityRequest { requestActivity(session, scene) }
      // The broker does not know the target of the last one.
      if scene.mustEnterForeground { ask(ClientRequest(toForeground(session)), nil) }
      sendNextSave(of: session)
      observeAgain(session)
    case .failure(let error):
      if error.code == .tooLarge, let carried {
        // The previous broker had a higher limit.
        fail(PendingSave(activity: carried), of: session, error)
        scenes[session]?.saves.unconfirmed = nil
      } else {
        scenes[session]?.saves.takeBackAll(carried: carried)
      }
      if message.activity != nil, error.isAboutRoom {
        // A separate save follows, unless the activity is too large.
        var bare = message
        bare.activity = nil
        submit(.resume(session, bare, carried: nil))
      } else {
        refuseResume(of: session, error)
      }
    }
  }

  private func toForeground(_ session: SessionIdentifier) -> SceneTransition {
    SceneTransition(session: session, to: .foregroundActive)
  }

  private mutating func tryLater(_ session: SessionIdentifier) {
    actions.append(.wake(.again(session), after: pause(of: session)))
  }

  /// The broker was lost after the scene entered the background, before it requested the activity.
  mutating func requestActivity(_ session: SessionIdentifier, _ scene: ClientScene) {
    scenes[session]?.needsActivityRequest = false
    call(Callback(.stateRestorationActivity, of: session), of: scene)
  }

  private mutating func refuseResume(of session: SessionIdentifier, _ error: SceneError) {
    switch error.code {
    case .sessionNotHeld:
      guard let scene = scenes[session], !isStopping else { return endLocally(session, .replaced) }
      scenes[session]?.holdState.resumeRefused()
      connectAgain(session, scene)
    case .sessionNotFound: endLocally(session, .discarded)
    case .sessionInUse: endLocally(session, .replaced)
    default:
      guard error.retry != .never else { return endLocally(session, .connectionLost) }
      scenes[session]?.holdState.resumePostponed()
      tryLater(session)
    }
  }

  private mutating func connectAgain(_ session: SessionIdentifier, _ scene: ClientScene) {
    submit(
      .connectAgain(LostSession(session: session, staysInBackground: scene.state == .background)))
  }

  mutating func finishConnectingAgain(
    _ lost: LostSession, _ result: Result<BrokerReply, SceneError>
  ) {
    let session = lost.session
    guard scenes[session]?.holdState.isConnectingAgain == true else { return }
    switch result.reply(to: SceneConnect.self) {
    case .success(let reply): enter(session, hold: reply.hold, lost.request)
    case .failure(let error) where error.code == .sessionNotFound: endLocally(session, .discarded)
    case .failure(let error) where error.retry != .never: tryLater(session)
    case .failure: endLocally(session, .replaced)
    }
  }

  mutating func finishLostSession(
    of lost: LostSession, _ result: Result<BrokerReply, SceneError>
  ) {
    switch result.reply(to: SceneConnect.self) {
    case .success(let reply): enter(lost.session, hold: reply.hold, lost.request)
    case .failure(let error):
      // An activation may have connected it first.
      guard scenes[lost.session] == nil else { return }
      guard error.retry == .never || isStopping else {
        requestLater(lost)
        return tryLater(lost.session)
      }
      backoffs[lost.session] = nil
      actions.append(.update(.notReturned(lost.session, error)))
    }
  }

  mutating func askAgain(for session: SessionIdentifier) {
    guard link.isOpen else { return }
    if scenes[session] != nil { return resumeScene(session) }
    guard let index = lostSessions.firstIndex(where: { $0.session == session }) else { return }
    submit(.requestLost(lostSessions.remove(at: index)))
  }
}

extension SceneError {
  /// Whether the broker refused the activity of the request.
  fileprivate var isAboutRoom: Bool {
    code == .tooLarge || code == .storageFull || code == .tooMany
  }
}
