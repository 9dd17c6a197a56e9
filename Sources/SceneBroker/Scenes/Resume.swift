import SceneModel

/// `scene/connect` with `resume`: a client that lost the broker, but not its own state, is the
/// holder again, in the state that it names. Nothing has changed for the client, so it gets no
/// callback.
extension Broker {
  mutating func resume(
    _ message: SceneConnect, _ resume: Resume, _ requester: Requester
  ) throws(BrokerError) {
    let identifier = message.session ?? .none
    guard let session = store[identifier], session.isPresent,
      let process = clients[requester.connection]?.process
    else { throw absence(of: identifier) }
    guard resume.state != .unattached else {
      throw BrokerError(
        .invalidParams, "resume.state: must not be unattached; connect without resume")
    }
    try checkMayResume(identifier, session.hold, resume, requester, process)
    try clients.checkRoom(on: requester.connection, replacing: identifier)
    if let activity = message.activity {
      try saveFirst(
        activity, of: identifier, orElse: "resume without the activity and save it later")
    }
    let answer = SceneConnect.Reply(session: identifier, reason: .resume, hold: resume.hold)
    // A repeated request changes nothing.
    guard scenes[identifier]?.holder != requester.connection else {
      return reply(requester, answer, about: identifier)
    }
    forgetCrashes(of: identifier)
    replace(identifier, by: requester)
    self.resume(identifier, in: resume.state, process, requester, message)
    reply(requester, answer, about: identifier)
    supersedeLaunch(of: identifier)
    advanceLifecycle(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  private mutating func resume(
    _ identifier: SessionIdentifier, in state: ActivationState, _ process: ClientProcess,
    _ requester: Requester, _ message: SceneConnect
  ) {
    guard let session = store[identifier] else { return }
    clients.reservations[identifier] = nil
    pending.suspend(identifier)
    let remark = applyChanges(
      title: message.title, program: message.program, to: session.attributes)
    record(.held(store.used(session.hold.begun(by: process), at: now.wall)))
    let ceiling = session.attributes.role.ceiling
    let state = min(state, ceiling)
    let scene = SceneStateMachine(
      identifier, holder: requester.connection, hold: session.hold.number, resumedIn: state,
      target: state == .background ? .background : ceiling, ceiling: ceiling)
    didConnect(scene, identifier, detail: remark)
  }

  private func checkMayResume(
    _ identifier: SessionIdentifier, _ hold: Hold, _ resume: Resume, _ requester: Requester,
    _ process: ClientProcess
  ) throws(BrokerError) {
    guard hold.number == resume.hold else {
      throw BrokerError(
        .sessionNotHeld,
        "another client has held \(label(of: identifier)) since; connect without resume",
        retry: .now)
    }
    if let end = hold.end, !end.reason.canResume {
      throw BrokerError(
        .sessionNotHeld,
        "the scene of \(label(of: identifier)) has ended: \(end.reason); connect without resume",
        retry: .now)
    }
    try checkReservation(of: identifier, for: process)
    guard let scene = scenes[identifier] else { return }
    guard clients[scene.holder]?.process == process else {
      throw BrokerError.held(label(of: identifier), by: clients[scene.holder]?.shown)
    }
    if scene.isLeaving, scene.holder == requester.connection {
      throw BrokerError.disconnecting(label(of: identifier))
    }
  }
}

extension DisconnectReason {
  /// Whether the scene ended with its connection. Its client does not know the end and can resume.
  /// A broker that dies ends all its connections.
  fileprivate var canResume: Bool {
    [.connectionLost, .slowReader, .violation].contains(self)
  }
}
