import SceneModel

/// Being back with a broker after it was lost: scenes go on where they were, or start over.
extension ClientMachine {
  mutating func comeBack() {
    let later = waiting
    waiting = []
    for session in sessionsInOrder { comeBack(session) }
    let sessions = returning
    returning = []
    for lost in sessions { submit(.comeBack(lost)) }
    observeAgain(nil)
    for purpose in later { submit(purpose) }
  }

  private mutating func comeBack(_ session: SessionIdentifier) {
    guard let scene = scenes[session] else { return }
    switch scene.standing.wish {
    case .nothing: break
    case .startingOver: startOver(session, scene)
    case .goingOn:
      guard scene.isKnown else {
        // There is nothing to go on with.
        drop(session)
        return wantBack(
          LostSession(session: session, isResting: scene.isResting, options: scene.options))
      }
      // What went out behind the last resume must be known not to be saved before the next goes.
      guard !scene.saves.isSending else {
        return tryLater(session)
      }
      resume(session, scene)
    }
  }

  /// To be asked for when there is a broker.
  mutating func wantBack(_ lost: LostSession) {
    returning.removeAll { $0.session == lost.session }
    returning.append(lost)
  }

  private mutating func resume(_ session: SessionIdentifier, _ scene: HeldScene) {
    scenes[session]?.standing.asked()
    var message = SceneConnect(
      session: session, resume: Resume(state: scene.state, hold: scene.hold))
    // Clearing cannot be said here, and whoever waits is told the generation: both take a save.
    let next = scene.saves.next
    message.activity = next == nil ? scene.saves.unconfirmed : next?.activity
    let isCarried = message.activity != nil && next?.tickets.isEmpty != false
    if isCarried { scenes[session]?.saves.next = nil }
    submit(.resume(session, message, carried: isCarried ? message.activity : nil))
    sendNextSave(of: session)
  }

  mutating func finishResume(
    of session: SessionIdentifier, _ message: SceneConnect, _ carried: Activity?,
    _ result: Result<BrokerReply, SceneError>
  ) {
    guard let scene = scenes[session], scene.standing.isResuming else { return }
    switch result {
    case .success:
      scenes[session]?.standing.resumed()
      backoffs[session] = nil
      scenes[session]?.isResting = message.resume?.state == .background
      if carried != nil { scenes[session]?.saves.unconfirmed = nil }
      actions.append(.tell(.resumed(session)))
      if scene.owesActivity { askHere(session, scene) }
      sendNextSave(of: session)
      observeAgain(session)
    case .failure(let error):
      if error.code == .tooLarge, let carried {
        // What the broker before has kept is more than this one ever keeps.
        fail(Save(activity: carried), of: session, error)
        scenes[session]?.saves.unconfirmed = nil
      } else {
        scenes[session]?.saves.takeBackAll(carried: carried)
      }
      if message.activity != nil, error.isAboutRoom {
        resumeWithoutActivity(session, message)
      } else {
        refuseResume(of: session, error)
      }
    }
  }

  /// What cannot be kept is no reason to lose the scene. It is saved by itself when the scene goes
  /// on, unless it never can be.
  private mutating func resumeWithoutActivity(
    _ session: SessionIdentifier, _ message: SceneConnect
  ) {
    var bare = message
    bare.activity = nil
    submit(.resume(session, bare, carried: nil))
  }

  private mutating func tryLater(_ session: SessionIdentifier) {
    actions.append(.wake(.again(session), after: pause(of: session)))
  }

  /// The broker was lost between the scene's going to the background and the question for its
  /// activity.
  mutating func askHere(_ session: SessionIdentifier, _ scene: HeldScene) {
    scenes[session]?.owesActivity = false
    call(.stateRestorationActivity(SceneReference(session: session)), of: scene)
  }

  private mutating func refuseResume(of session: SessionIdentifier, _ error: SceneError) {
    switch error.code {
    case .sessionNotHeld:
      guard let scene = scenes[session], !isStopping else { return endHere(session, .replaced) }
      scenes[session]?.standing.refused()
      startOver(session, scene)
    case .sessionNotFound: endHere(session, .discarded)
    case .sessionInUse: endHere(session, .replaced)
    default:
      guard error.retry != .never else { return endHere(session, .connectionLost) }
      scenes[session]?.standing.putOff()
      tryLater(session)
    }
  }

  private mutating func startOver(_ session: SessionIdentifier, _ scene: HeldScene) {
    submit(.startOver(LostSession(session: session, isResting: scene.state == .background)))
  }

  mutating func finishStartingOver(
    _ lost: LostSession, _ result: Result<BrokerReply, SceneError>
  ) {
    let session = lost.session
    guard scenes[session]?.standing.isStartingOver == true else { return }
    switch result {
    case .success(.connected(let reply)): enter(session, hold: reply.hold, lost.request)
    case .failure(let error) where error.code == .sessionNotFound: endHere(session, .discarded)
    case .failure(let error) where error.retry != .never: tryLater(session)
    case .success, .failure: endHere(session, .replaced)
    }
  }

  mutating func finishReturn(
    of lost: LostSession, _ result: Result<BrokerReply, SceneError>
  ) {
    switch result {
    case .success(.connected(let reply)): enter(lost.session, hold: reply.hold, lost.request)
    case .success: break
    case .failure(let error):
      // An activation may have come first.
      guard scenes[lost.session] == nil else { return }
      guard error.retry == .never || isStopping else {
        wantBack(lost)
        return tryLater(lost.session)
      }
      backoffs[lost.session] = nil
      actions.append(.tell(.notReturned(lost.session, error)))
    }
  }

  mutating func askAgain(for session: SessionIdentifier) {
    guard link.isOpen else { return }
    if scenes[session] != nil { return comeBack(session) }
    guard let index = returning.firstIndex(where: { $0.session == session }) else { return }
    submit(.comeBack(returning.remove(at: index)))
  }
}

extension SceneError {
  /// Whether what was sent along was refused, for its size or at this time.
  fileprivate var isAboutRoom: Bool {
    code == .tooLarge || code == .storageFull || code == .tooMany
  }
}
