import JSON
import SceneModel

/// The callbacks of scenes, from the broker to the program and back.
extension ClientMachine {
  // MARK: - From the broker

  mutating func take(_ callback: Callback, _ identifier: RequestIdentifier) {
    let session = callback.session
    if case .willConnect(let message) = callback {
      if let scene = scenes[session], scene.isKnown {
        if canGoOn(scene, with: message) { return goOn(message, identifier) }
        endHere(session, .connectionLost)
      }
      enter(session, hold: message.hold)
    }
    guard let scene = scenes[session], scene.isKnown || callback.kind == .willConnect else {
      // It was given up while this was on its way, or never began.
      if case .didDisconnect(let message) = callback { leave(session, message.reason) }
      return actions.append(.send(.answer(identifier, .done)))
    }
    arrive(session, callback.kind)
    // What cannot be kept any more is told of before the end.
    if case .didDisconnect(let message) = callback { leave(session, message.reason) }
    call(callback, identifier, of: scene)
  }

  /// The broker has given a session to this client, which may have asked for it.
  mutating func enter(
    _ session: SessionIdentifier, hold: Int64, _ request: SceneConnect? = nil
  ) {
    returning.removeAll { $0.session == session }
    backoffs[session] = nil
    if let scene = scenes[session] {
      if scene.hold == hold { return }
      endHere(session, .connectionLost)
    }
    lastScene += 1
    // Whoever brings a scene to the foreground says so with the next callback.
    scenes[session] = HeldScene(
      hold: hold, options: request?.options, isResting: request?.background ?? true,
      sequence: lastScene)
    if isStopping { close(session) }
  }

  private mutating func arrive(_ session: SessionIdentifier, _ kind: CallbackKind) {
    // The broker sends the next callback when it has dealt with the answer to the last.
    scenes[session]?.saves.unconfirmed = nil
    if let state = kind.arrival { scenes[session]?.state = state }
    switch kind {
    case .didEnterBackground: scenes[session]?.owesActivity = true
    case .stateRestorationActivity: scenes[session]?.owesActivity = false
    case .willEnterForeground: scenes[session]?.isResting = false
    case .willConnect, .didBecomeActive, .willResignActive, .didDisconnect,
      .openURLContexts, .willContinueUserActivity,
      .continueUserActivity, .didUpdateUserActivity, .performActionForShortcutItem,
      .didReceiveNotificationResponse, .refresh:
      break
    }
  }

  mutating func call(
    _ callback: Callback, _ identifier: RequestIdentifier? = nil, of scene: HeldScene
  ) {
    lastCall += 1
    let number = CallNumber(number: lastCall)
    calls[number] = OpenCall(
      kind: callback.kind, session: callback.session, identifier: identifier,
      scene: scene.sequence)
    scenes[callback.session]?.lastCall = number
    actions.append(.call(SceneCall(number: number, callback: callback)))
  }

  private mutating func leave(_ session: SessionIdentifier, _ reason: DisconnectReason) {
    guard let isResting = scenes[session]?.isResting else { return }
    drop(session)
    // Everybody is disconnected when the broker ends in order, and wants to be back with the next.
    if reason == .shutdown, !isStopping {
      wantBack(LostSession(session: session, isResting: isResting))
    }
  }

  /// The scene is no more. What was not sent of its activity comes too late.
  mutating func drop(_ session: SessionIdentifier, _ error: SceneError? = nil) {
    backoffs[session] = nil
    endObservations(of: session)
    let carried = takeCarried(of: session)
    guard let saves = scenes.removeValue(forKey: session)?.saves else { return }
    let unsent = saves.isSending ? nil : carried.map { Save(activity: $0) }
    guard let save = saves.next ?? unsent else { return }
    let ended = SceneError(.sessionNotHeld, "the scene of \(session) has ended")
    fail(save, of: session, error ?? ended)
  }

  /// Ends a scene of which the broker will say nothing more.
  mutating func endHere(
    _ session: SessionIdentifier, _ reason: DisconnectReason, _ error: SceneError? = nil
  ) {
    guard let scene = scenes[session] else { return }
    drop(session, error)
    // The program knows nothing of one that was not connected yet.
    guard scene.isKnown else { return }
    let message = DidDisconnect(session: session, reason: reason)
    call(.didDisconnect(message), of: scene)
  }

  // MARK: - From the program

  mutating func finish(_ number: CallNumber, _ answer: CallAnswer?) {
    guard let call = calls.removeValue(forKey: number), var answer else { return }
    guard let identifier = call.identifier else { return finishLate(call, answer) }
    guard link.isOpen else { return }
    let isCurrent = scenes[call.session]?.sequence == call.scene
    if case .activity(.value(let activity)) = answer {
      if refuseTooLarge(activity, of: call.session) {
        answer = .activity(.absent)
      } else if isCurrent {
        scenes[call.session]?.saves.answer(activity)
      }
    }
    actions.append(.send(.answer(identifier, answer.shortened)))
    if call.kind == .willConnect, case .failed = answer, isCurrent { drop(call.session) }
    if call.kind == .stateRestorationActivity { confirmRest(of: call.session, after: number) }
  }

  /// A scene that came to the background has come there to stay if the broker has nothing to say of
  /// it next: on the way to its end, the next step would come before the reply.
  private mutating func confirmRest(of session: SessionIdentifier, after call: CallNumber) {
    guard scenes[session]?.lastCall == call else { return }
    submit(.confirmRest(session, after: call))
  }

  mutating func rest(
    _ session: SessionIdentifier, after call: CallNumber, _ result: Result<BrokerReply, SceneError>
  ) {
    guard case .success = result, scenes[session]?.lastCall == call else { return }
    scenes[session]?.isResting = true
  }

  /// The connection that brought the callback is gone, so the answer has nowhere to go; but what it
  /// says still counts.
  private mutating func finishLate(_ call: OpenCall, _ answer: CallAnswer) {
    guard scenes[call.session]?.sequence == call.scene else { return }
    switch (call.kind, answer) {
    case (.willConnect, .failed):
      drop(call.session)
      guard link.isOpen else { return }
      submit(.leave(call.session, .disconnect(SceneDisconnect(session: call.session))))
    case (.stateRestorationActivity, .activity(.value(let activity))):
      save(activity, of: call.session, nil)
    case (.stateRestorationActivity, .activity(.null)):
      save(nil, of: call.session, nil)
    case (_, .done), (_, .failed), (_, .activity): break
    }
  }

  mutating func finishLeaving(
    _ session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    // A scene that the broker does not know is not waited for.
    if case .failure = result { endHere(session, .connectionLost) }
  }
}

extension CallAnswer {
  /// What a program says about its failure may be of any length, a frame may not.
  fileprivate var shortened: CallAnswer {
    guard case .failed(let message) = self else { return self }
    return .failed(message: message.clipped(to: ClientLimits.messageBytes))
  }
}
