import SceneJSON
import SceneModel

/// The callbacks of scenes, from the broker to the program and back.
extension ClientMachine {
  // MARK: - From the broker

  mutating func takeCallback(_ callback: Callback, _ identifier: RequestIdentifier) {
    let session = callback.session
    if let message = callback.message as? WillConnect {
      if let scene = scenes[session], scene.hasConnected {
        if canContinue(scene, with: message) { return continueScene(message, identifier) }
        endLocally(session, .connectionLost)
      }
      enter(session, hold: message.hold)
    }
    guard let scene = scenes[session], scene.hasConnected || callback.kind == .willConnect else {
      // The scene has ended meanwhile, or never connected.
      if let message = callback.message as? DidDisconnect { leave(session, message.reason) }
      return actions.append(.send(.answer(identifier, .done)))
    }
    arrive(session, callback.kind)
    // Report unsaved activities before the end of the scene.
    if let message = callback.message as? DidDisconnect { leave(session, message.reason) }
    call(callback, identifier, of: scene)
  }

  /// The broker has connected a session to this client.
  mutating func enter(
    _ session: SessionIdentifier, hold: Int64, _ request: SceneConnect? = nil
  ) {
    lostSessions.removeAll { $0.session == session }
    backoffs[session] = nil
    if let scene = scenes[session] {
      if scene.hold == hold { return }
      endLocally(session, .connectionLost)
    }
    lastScene += 1
    // The next callback tells whether the scene moves to the foreground.
    scenes[session] = ClientScene(
      hold: hold, options: request?.options, staysInBackground: request?.background ?? true,
      mustEnterForeground: request?.background == false, sequence: lastScene)
    if isStopping { close(session) }
  }

  private mutating func arrive(_ session: SessionIdentifier, _ kind: CallbackKind) {
    // A ping does not wait for the answer to the last callback.
    guard kind != .ping else { return }
    // The broker sends the next callback when it has dealt with the answer to the last.
    scenes[session]?.saves.unconfirmed = nil
    if let state = kind.arrival { scenes[session]?.state = state }
    switch kind {
    case .didEnterBackground: scenes[session]?.needsActivityRequest = true
    case .stateRestorationActivity: scenes[session]?.needsActivityRequest = false
    case .willEnterForeground:
      scenes[session]?.staysInBackground = false
      scenes[session]?.mustEnterForeground = false
    default: break
    }
  }

  mutating func call(
    _ callback: Callback, _ identifier: RequestIdentifier? = nil, of scene: ClientScene
  ) {
    lastCall += 1
    let number = CallNumber(number: lastCall)
    calls[number] = OpenCall(
      kind: callback.kind, session: callback.session, identifier: identifier,
      scene: scene.sequence)
    if callback.kind != .ping { scenes[callback.session]?.lastCall = number }
    actions.append(.call(SceneCall(number: number, callback: callback)))
  }

  private mutating func leave(_ session: SessionIdentifier, _ reason: DisconnectReason) {
    guard let staysInBackground = scenes[session]?.staysInBackground else { return }
    drop(session)
    // An orderly end of the broker disconnects all scenes. Request them from the next broker.
    if reason == .shutdown, !isStopping {
      requestLater(LostSession(session: session, staysInBackground: staysInBackground))
    }
  }

  /// Removes a scene. Its unsent activity fails.
  mutating func drop(_ session: SessionIdentifier, _ error: SceneError? = nil) {
    backoffs[session] = nil
    endObservations(of: session)
    let carried = takeCarried(of: session)
    guard let saves = scenes.removeValue(forKey: session)?.saves else { return }
    let unsent = saves.isSending ? nil : carried.map { PendingSave(activity: $0) }
    guard let save = saves.next ?? unsent else { return }
    let ended = SceneError(.sessionNotHeld, "the scene of \(session) has ended")
    fail(save, of: session, error ?? ended)
  }

  /// Ends a scene without the broker.
  mutating func endLocally(
    _ session: SessionIdentifier, _ reason: DisconnectReason, _ error: SceneError? = nil
  ) {
    guard let scene = scenes[session] else { return }
    drop(session, error)
    // The program has not seen a scene that was never connected.
    guard scene.hasConnected else { return }
    let message = DidDisconnect(session: session, reason: reason)
    call(Callback(.didDisconnect, message), of: scene)
  }

  // MARK: - From the program

  mutating func finishCall(_ number: CallNumber, _ answer: CallAnswer?) {
    guard let call = calls.removeValue(forKey: number), var answer else { return }
    guard let identifier = call.identifier else { return finishLate(call, answer) }
    guard link.isOpen else { return }
    let isCurrent = scenes[call.session]?.sequence == call.scene
    if case .activity(.value(let activity)) = answer {
      if let error = tooLarge(activity) {
        actions.append(.report(call.session, activity, error))
        answer = .activity(.absent)
      } else if isCurrent {
        scenes[call.session]?.saves.answer(activity)
      }
    }
    actions.append(.send(.answer(identifier, answer.shortened)))
    if call.kind == .willConnect, case .failed = answer, isCurrent { drop(call.session) }
    if call.kind == .stateRestorationActivity { confirmBackground(of: call.session, after: number) }
  }

  /// Asks the broker for a reply. If no callback precedes it, the scene stays in the background. A
  /// scene on the way to its end would receive its next callback first.
  private mutating func confirmBackground(of session: SessionIdentifier, after call: CallNumber) {
    guard scenes[session]?.lastCall == call else { return }
    submit(.confirmBackground(session, after: call))
  }

  mutating func rest(
    _ session: SessionIdentifier, after call: CallNumber, _ result: Result<BrokerReply, SceneError>
  ) {
    guard case .success = result, scenes[session]?.lastCall == call else { return }
    scenes[session]?.staysInBackground = true
  }

  /// Handles an answer after the loss of its connection: its content still counts.
  private mutating func finishLate(_ call: OpenCall, _ answer: CallAnswer) {
    guard scenes[call.session]?.sequence == call.scene else { return }
    switch (call.kind, answer) {
    case (.willConnect, .failed):
      drop(call.session)
      guard link.isOpen else { return }
      submit(.leave(call.session, ClientRequest(SceneDisconnect(session: call.session))))
    case (.stateRestorationActivity, .activity(.value(let activity))):
      save(activity, of: call.session, nil)
    case (.stateRestorationActivity, .activity(.null)):
      save(nil, of: call.session, nil)
    default: break
    }
  }

  mutating func finishLeaving(
    _ session: SessionIdentifier, _ result: Result<BrokerReply, SceneError>
  ) {
    // The broker does not know the scene.
    if case .failure = result { endLocally(session, .connectionLost) }
  }
}

extension CallAnswer {
  /// With a message of limited length, because a frame is limited.
  fileprivate var shortened: CallAnswer {
    guard case .failed(let message) = self else { return self }
    return .failed(message: message.clipped(to: ClientLimits.messageBytes))
  }
}
