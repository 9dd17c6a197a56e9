import SceneModel

/// Being back with a broker after it was lost: scenes go on where they were, or start over.
extension ClientMachine {
  mutating func comeBack() {
    let later = waiting
    waiting = []
    for session in sessionsInOrder { comeBack(session) }
    let sessions = returning
    returning = []
    for session in sessions { submit(.comeBack(session)) }
    for purpose in later { submit(purpose) }
  }

  private mutating func comeBack(_ session: SessionIdentifier) {
    guard let scene = scenes[session] else { return }
    switch scene.standing {
    case .attached, .resuming: break
    case .startingOver: submit(.startOver(session))
    case .lost:
      guard scene.state > .unattached else {
        // The program has not heard of it yet, so there is nothing to go on with.
        drop(session)
        returning.append(session)
        return
      }
      resume(session, scene)
    }
  }

  private mutating func resume(_ session: SessionIdentifier, _ scene: HeldScene) {
    scenes[session]?.standing = .resuming
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
    of session: SessionIdentifier, _ carried: Activity?,
    _ result: Result<BrokerReply, SceneError>
  ) {
    guard let scene = scenes[session], scene.standing == .resuming else { return }
    switch result {
    case .success:
      scenes[session]?.standing = .attached
      if carried != nil { scenes[session]?.saves.unconfirmed = nil }
      actions.append(.tell(.resumed(session)))
      if scene.owesActivity { askHere(session, hold: scene.hold) }
      sendNextSave(of: session)
    case .failure(let error):
      if let carried { scenes[session]?.saves.takeBack(Save(activity: carried)) }
      refuseResume(of: session, error)
    }
  }

  /// The broker was lost between the scene's going to the background and the question for its
  /// activity.
  private mutating func askHere(_ session: SessionIdentifier, hold: Int64) {
    scenes[session]?.owesActivity = false
    call(.stateRestorationActivity(SceneReference(session: session)), nil, hold: hold)
  }

  private mutating func refuseResume(of session: SessionIdentifier, _ error: SceneError) {
    switch error.code {
    case .sessionNotHeld:
      scenes[session]?.standing = .startingOver
      submit(.startOver(session))
    case .sessionNotFound: endHere(session, .discarded)
    case .sessionInUse: endHere(session, .replaced)
    default:
      guard error.retry != .never else { return endHere(session, .connectionLost) }
      scenes[session]?.standing = .lost
      actions.append(.wake(.again(session), after: backoff.next()))
    }
  }

  mutating func finishStartingOver(
    _ session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    guard scenes[session]?.standing == .startingOver else { return }
    switch result {
    case .success(.connected(let reply)): enter(session, hold: reply.hold)
    case .failure(let error) where error.code == .sessionNotFound: endHere(session, .discarded)
    case .failure(let error) where error.retry != .never:
      actions.append(.wake(.again(session), after: backoff.next()))
    case .success, .failure: endHere(session, .replaced)
    }
  }

  mutating func finishReturn(
    of session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    switch result {
    case .success(.connected(let reply)): enter(session, hold: reply.hold)
    case .success: break
    case .failure(let error):
      // An activation may have come first.
      guard scenes[session] == nil else { return }
      guard error.retry == .never else {
        returning.append(session)
        return actions.append(.wake(.again(session), after: backoff.next()))
      }
      actions.append(.tell(.notReturned(session, error)))
    }
  }

  mutating func askAgain(for session: SessionIdentifier) {
    guard link == .ready else { return }
    if scenes[session] != nil { return comeBack(session) }
    guard let index = returning.firstIndex(of: session) else { return }
    returning.remove(at: index)
    submit(.comeBack(session))
  }
}
