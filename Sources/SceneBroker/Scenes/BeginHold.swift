import SceneModel

/// The values with which a client becomes the scene of a session.
struct ConnectOptions {
  var isNew = false
  var reason: ConnectReason
  /// The first target of the scene; nil for the highest state of its role.
  var target: ActivationState?
  var options: ConnectionOptions
  /// The requested configuration, if the manifest has none of that name.
  var missingConfiguration: String?
  var title: String?
  var assignment: HostAssignment?
  /// The requester that becomes the scene. It gets the hold in its reply.
  var requester: Requester?
  /// The requester of a scene in another client.
  var activator: Requester?
}

extension ConnectOptions {
  /// The scene of a session whose host did not request it.
  init(_ assignment: HostAssignment, target: ActivationState, by requester: Requester? = nil) {
    self.init(
      isNew: assignment.isNew, reason: assignment.activation.reason, target: target,
      options: assignment.activation.options,
      missingConfiguration: assignment.missingConfiguration, assignment: assignment,
      activator: requester)
  }
}

/// A client becomes the scene of a session: it connects or resumes.
extension Broker {
  /// Makes a client the holder of a session. The scene begins to move to its target.
  mutating func connect(
    _ identifier: SessionIdentifier, to connection: ConnectionIdentifier,
    _ connect: ConnectOptions
  ) {
    guard let session = store[identifier], let process = clients.process(of: connection) else {
      return
    }
    clients.removeReservation(of: identifier)
    pending.suspend(identifier)
    let remark = applyTitle(connect.title, to: session.attributes)
    var hold = session.hold
    hold.number += 1
    if session.isInCrashLoop, manifest.restores(session) { hold.withheld = session.generation }
    record(.held(store.used(hold.begun(by: process), at: now.wall)))
    let ceiling = session.attributes.role.ceiling
    let scene = SceneStateMachine(
      holder: connection, hold: hold.number, target: min(connect.target ?? ceiling, ceiling),
      isNew: connect.isNew, reason: connect.reason, options: connect.options,
      missingConfiguration: connect.missingConfiguration,
      givenGeneration: generationToGive(identifier))
    if let assignment = connect.assignment { pending.assign(identifier, assignment) }
    didConnect(scene, identifier, by: connect.activator, detail: remark)
    if let requester = connect.requester {
      reply(
        requester,
        .connected(
          SceneConnect.Reply(
            session: identifier, isNew: connect.isNew, reason: connect.reason,
            hold: hold.number)),
        about: identifier)
    }
    advanceLifecycle(of: identifier)
  }

  /// The generation of the activity that the client gets; nil if the client gets none.
  private func generationToGive(_ identifier: SessionIdentifier) -> Int64? {
    guard let session = store[identifier], session.activity != nil, session.withheld == nil,
      manifest.restores(session)
    else { return nil }
    return session.generation
  }

  /// Stores the title of a connect request. If the disk has no room for it, the client connects
  /// nevertheless. Returns the remark for the trace.
  private mutating func applyTitle(_ title: String?, to before: SessionAttributes) -> String? {
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

  private mutating func didConnect(
    _ scene: SceneStateMachine, _ identifier: SessionIdentifier, by requester: Requester? = nil,
    detail: String?
  ) {
    scenes.insert(scene, for: identifier, at: now.monotonic)
    clients.connected(identifier, to: scene.holder)
    let session = store[identifier]
    notifyDelegate(
      .sceneConnected(
        SceneConnected(session: identifier, isNew: scene.isNew, reason: scene.reason)),
      about: identifier)
    trace(
      .connected, identifier, reason: scene.reason.rawValue, state: scene.target,
      generation: session?.generation, withheld: session?.withheld?.reason,
      options: scene.options, by: requester, detail: detail)
    markChanged(identifier)
    enterForeground(identifier)
  }

  // MARK: - Resume

  /// A client that lost the broker, but not its own state, is the holder again, in the state that it
  /// names. Nothing has changed for the client, so it gets no callback.
  mutating func resume(
    _ message: SceneConnect, _ resume: Resume, _ requester: Requester
  ) throws(BrokerError) {
    guard let identifier = message.session, let session = store[identifier],
      let process = clients.process(of: requester.connection)
    else { throw BrokerError.noSession(message.session ?? .none) }
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
    let answer = BrokerReply.connected(
      SceneConnect.Reply(session: identifier, reason: .resume, hold: resume.hold))
    // A repeated request changes nothing.
    guard scenes.holder(of: identifier) != requester.connection else {
      return reply(requester, answer, about: identifier)
    }
    replace(identifier, by: requester)
    self.resume(identifier, in: resume.state, process, requester, title: message.title)
    reply(requester, answer, about: identifier)
    supersedeLaunch(of: identifier)
    advanceLifecycle(of: identifier)
    deferred.fulfill(.session(identifier))
  }

  private mutating func resume(
    _ identifier: SessionIdentifier, in state: ActivationState, _ process: ClientProcess,
    _ requester: Requester, title: String?
  ) {
    guard let session = store[identifier] else { return }
    clients.removeReservation(of: identifier)
    pending.suspend(identifier)
    let remark = applyTitle(title, to: session.attributes)
    record(.held(store.used(session.hold.begun(by: process), at: now.wall)))
    let ceiling = session.attributes.role.ceiling
    let state = min(state, ceiling)
    let scene = SceneStateMachine(
      resumedBy: requester.connection, hold: session.hold.number, in: state,
      target: state == .background ? .background : ceiling)
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
    guard clients.process(of: scene.holder) == process else {
      throw BrokerError.held(label(of: identifier), by: clients.client(of: scene.holder))
    }
    if scene.isLeaving, scene.holder == requester.connection {
      throw BrokerError.disconnecting(label(of: identifier))
    }
  }

  func checkReservation(
    of identifier: SessionIdentifier, for process: ClientProcess
  ) throws(BrokerError) {
    guard let holder = clients.reservation(of: identifier), holder != process else { return }
    throw BrokerError.reserved(label(of: identifier), for: holder)
  }
}

extension DisconnectReason {
  /// Whether the scene ended with its connection. Its client does not know the end and can resume. A
  /// broker that dies ends all its connections.
  fileprivate var canResume: Bool {
    [.connectionLost, .slowReader, .violation].contains(self)
  }
}
