import SceneModel

/// With what a session is given to a connection.
struct Entrance {
  var isNew = false
  var reason: ConnectReason
  /// Where the scene should go; nil for as far as its role lets it.
  var target: ActivationState?
  var options: ConnectionOptions
  /// The configuration that was asked for, if there is none of that name.
  var missingConfiguration: String?
  var title: String?
  var assignment: HostAssignment?
  /// Who asked to become the scene, and is told the hold.
  var requester: Requester?
  /// Who wanted it brought.
  var by: Requester?
}

/// Becoming the scene of a session.
extension Broker {
  /// Makes a connection the holder of a session and begins its walk up the line.
  mutating func give(
    _ identifier: SessionIdentifier, to connection: ConnectionIdentifier, _ entrance: Entrance
  ) {
    guard let session = store[identifier], let process = clients.process(of: connection)
    else { return }
    clients.removeReservation(of: identifier)
    pending.suspend(identifier)
    let remark = entitle(session.attributes, entrance.title)
    var tenure = session.tenure
    tenure.hold += 1
    if session.isInCrashLoop, isRestored(session) { tenure.withheld = session.generation }
    hold(tenure, process)
    let ceiling = session.attributes.role.ceiling
    let scene = SceneStateMachine(
      holder: connection, hold: tenure.hold, target: min(entrance.target ?? ceiling, ceiling),
      isNew: entrance.isNew, reason: entrance.reason, options: entrance.options,
      missingConfiguration: entrance.missingConfiguration,
      givenGeneration: generationToGive(identifier))
    if let assignment = entrance.assignment { pending.assign(identifier, assignment) }
    enter(scene, identifier, by: entrance.by, detail: remark)
    if let requester = entrance.requester {
      reply(
        requester,
        .connected(
          SceneConnect.Reply(
            session: identifier, isNew: entrance.isNew, reason: entrance.reason,
            hold: tenure.hold)),
        about: identifier)
    }
    advanceLifecycle(of: identifier)
  }

  /// The generation of the activity that the next client is given; nil if it is given none.
  private func generationToGive(_ identifier: SessionIdentifier) -> Int64? {
    guard let session = store[identifier], session.activity != nil, session.withheld == nil,
      isRestored(session)
    else { return nil }
    return session.generation
  }

  /// A title that is given on connect applies, if there is room for it: a session is not kept from
  /// its client on account of one. What is to be said if there is none.
  private mutating func entitle(_ before: SessionAttributes, _ title: String?) -> String? {
    guard let title, title != before.title else { return nil }
    var attributes = before
    attributes.title = title
    do throws(BrokerError) {
      try checkRoom(for: attributes, after: before)
      record(.session(attributes))
      return nil
    } catch {
      return "the new title is not stored: \(error.message)"
    }
  }

  private mutating func hold(_ tenure: Tenure, _ process: ClientProcess) {
    var tenure = tenure
    tenure.holder = process
    tenure.end = nil
    tenure.formerHolder = nil
    record(.held(store.used(tenure, at: now.wall)))
  }

  private mutating func enter(
    _ scene: SceneStateMachine, _ identifier: SessionIdentifier, by requester: Requester? = nil,
    detail: String?
  ) {
    scenes.insert(scene, for: identifier, at: now.monotonic)
    clients.connected(identifier, to: scene.holder)
    let session = store[identifier]
    tellDelegate(
      .sceneConnected(
        SceneConnected(session: identifier, isNew: scene.isNew, reason: scene.reason)),
      about: identifier)
    tell(
      .connected, identifier, reason: scene.reason.rawValue, state: scene.target,
      generation: session?.generation, withheld: session?.withheld?.reason,
      options: scene.options, by: requester, detail: detail)
    noteChange(of: identifier)
    enterForeground(identifier)
  }

  // MARK: - Resuming

  /// A client that lost the broker, not its own state, is the holder again, in the state it says.
  /// No callback for what did not change.
  mutating func resume(
    _ message: SceneConnect, _ resume: Resume, _ requester: Requester
  ) throws(BrokerError) {
    guard let identifier = message.session, let session = store[identifier],
      let process = clients.process(of: requester.connection)
    else { throw notFound(message.session ?? .none) }
    guard resume.state != .unattached else {
      throw BrokerError(
        .invalidParams, "resume.state: must not be unattached; connect without resume")
    }
    try checkMayResume(identifier, session.tenure, resume, requester, process)
    try clients.checkRoom(on: requester.connection, replacing: identifier)
    if let activity = message.activity {
      try saveFirst(
        activity, of: identifier, orElse: "resume without the activity and save it later")
    }
    let answer = BrokerReply.connected(
      SceneConnect.Reply(session: identifier, reason: .resume, hold: resume.hold))
    // Who asks once more is where the broker knows it to be.
    guard scenes.holder(of: identifier) != requester.connection else {
      return reply(requester, answer, about: identifier)
    }
    replace(identifier, by: requester)
    goOn(with: identifier, in: resume.state, process, requester, title: message.title)
    reply(requester, answer, about: identifier)
    overtakeLaunch(of: identifier)
    advanceLifecycle(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  private mutating func goOn(
    with identifier: SessionIdentifier, in state: ActivationState, _ process: ClientProcess,
    _ requester: Requester, title: String?
  ) {
    guard let session = store[identifier] else { return }
    clients.removeReservation(of: identifier)
    pending.suspend(identifier)
    let remark = entitle(session.attributes, title)
    hold(session.tenure, process)
    let ceiling = session.attributes.role.ceiling
    let state = min(state, ceiling)
    let scene = SceneStateMachine(
      resumedBy: requester.connection, hold: session.tenure.hold, in: state,
      target: state == .background ? .background : ceiling)
    enter(scene, identifier, detail: remark)
  }

  private func checkMayResume(
    _ identifier: SessionIdentifier, _ tenure: Tenure, _ resume: Resume, _ requester: Requester,
    _ process: ClientProcess
  ) throws(BrokerError) {
    guard tenure.hold == resume.hold else {
      throw BrokerError(
        .sessionNotHeld,
        "another client has held \(label(of: identifier)) since; connect without resume",
        retry: .now)
    }
    if let end = tenure.end, !end.reason.leavesAHoldToResume {
      throw BrokerError(
        .sessionNotHeld,
        "the scene of \(label(of: identifier)) has ended: \(end.reason); connect without resume",
        retry: .now)
    }
    if let holder = clients.reservation(of: identifier), holder != process {
      throw kept(identifier, for: holder)
    }
    guard let scene = scenes[identifier] else { return }
    guard clients.process(of: scene.holder) == process else {
      throw inUse(identifier, by: scene.holder)
    }
    if scene.isLeaving, scene.holder == requester.connection { throw leaving(identifier) }
  }

  func leaving(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(
      .sessionNotHeld, "\(label(of: identifier)) is being disconnected right now", retry: .now)
  }
}

extension DisconnectReason {
  /// Whether the scene ended with its connection, so that its client never heard of it and goes on.
  /// A broker that dies ends all its connections.
  fileprivate var leavesAHoldToResume: Bool {
    [.connectionLost, .slowReader, .violation].contains(self)
  }
}
