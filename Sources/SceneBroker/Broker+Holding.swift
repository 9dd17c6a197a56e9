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
  var bringing: Bringing?
  /// Who asked to become the scene, and is told the hold.
  var requester: Asker?
  /// Who wanted it brought.
  var by: Asker?
}

/// Becoming the scene of a session.
extension Broker {
  /// Makes a connection the holder of a session and begins its walk up the line.
  mutating func give(
    _ identifier: SessionIdentifier, to connection: ConnectionIdentifier, _ entrance: Entrance
  ) {
    guard let session = stored[identifier], let peer = peers[connection] else { return }
    reserved[identifier] = nil
    let remark = entitle(session.attributes, entrance.title)
    var tenure = session.tenure
    tenure.hold += 1
    if session.isInCrashLoop, isRestored(session) { tenure.withheld = session.generation }
    hold(tenure, peer.process)
    let ceiling = session.attributes.role.ceiling
    var scene = LiveScene(
      holder: connection, hold: tenure.hold, state: .unattached,
      target: min(entrance.target ?? ceiling, ceiling), isNew: entrance.isNew,
      reason: entrance.reason, options: entrance.options)
    scene.missingConfiguration = entrance.missingConfiguration
    scene.givenGeneration = generationToGive(identifier)
    scene.bringing = entrance.bringing
    scene.mustRefresh = entrance.bringing?.mustRefresh == true
    enter(scene, identifier, by: entrance.by, detail: remark)
    if let asker = entrance.requester {
      reply(
        asker,
        .connected(
          SceneConnect.Reply(
            session: identifier, isNew: entrance.isNew, reason: entrance.reason,
            hold: tenure.hold)),
        about: identifier)
    }
    walk(identifier)
  }

  /// The generation of the activity that the next client is given; nil if it is given none.
  private func generationToGive(_ identifier: SessionIdentifier) -> Int64? {
    guard let session = stored[identifier], session.activity != nil, session.withheld == nil,
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
      return "the new title is not kept: \(error.message)"
    }
  }

  private mutating func hold(_ tenure: Tenure, _ process: ClientProcess) {
    var tenure = tenure
    tenure.holder = process
    tenure.end = nil
    tenure.formerHolder = nil
    touch(&tenure)
    record(.held(tenure))
  }

  /// Counts as the newest use.
  func touch(_ tenure: inout Tenure) {
    tenure.order = stored.lastOrder + 1
    tenure.used = now.wall
  }

  private mutating func enter(
    _ scene: LiveScene, _ identifier: SessionIdentifier, by asker: Asker? = nil, detail: String?
  ) {
    scenes[identifier] = scene
    if scene.state == .background { noteBackground(identifier) }
    census.add(scene.state)
    peers[scene.holder]?.held.append(identifier)
    lastHolders[identifier] = nil
    let session = stored[identifier]
    tellDelegate(
      .sceneConnected(
        SceneConnected(session: identifier, isNew: scene.isNew, reason: scene.reason)),
      about: identifier)
    tell(
      .connected, identifier, reason: scene.reason.rawValue, state: scene.target,
      generation: session?.generation, withheld: session?.withheld?.reason,
      options: scene.options, by: asker, detail: detail)
    noteChange(of: identifier)
    enterForeground(identifier)
  }

  // MARK: - Resuming

  /// A client that lost the broker, not its own state, is the holder again, in the state it says.
  /// No callback for what did not change.
  mutating func resume(
    _ message: SceneConnect, _ resume: Resume, _ asker: Asker
  ) throws(BrokerError) {
    guard let identifier = message.session, let session = stored[identifier],
      let peer = peers[asker.connection]
    else { throw notFound(message.session ?? .none) }
    guard resume.state != .unattached else {
      throw BrokerError(.invalidParams, "resume.state: an unattached scene connects afresh")
    }
    try checkMayResume(identifier, session.tenure, resume, asker, peer.process)
    try checkRoom(on: asker.connection, besides: identifier)
    if let activity = message.activity {
      try saveFirst(activity, of: identifier, orElse: "resume without it, and save it later")
    }
    let answer = BrokerReply.connected(
      SceneConnect.Reply(session: identifier, reason: .resume, hold: resume.hold))
    // Who asks once more is where the broker knows it to be.
    guard scenes[identifier]?.holder != asker.connection else {
      return reply(asker, answer, about: identifier)
    }
    replace(identifier, by: asker)
    goOn(with: identifier, in: resume.state, peer.process, asker, title: message.title)
    reply(asker, answer, about: identifier)
    overtakeLaunch(of: identifier)
    walk(identifier)
    retryWaiting(for: identifier)
  }

  private mutating func goOn(
    with identifier: SessionIdentifier, in state: ActivationState, _ process: ClientProcess,
    _ asker: Asker, title: String?
  ) {
    guard let session = stored[identifier] else { return }
    reserved[identifier] = nil
    let remark = entitle(session.attributes, title)
    hold(session.tenure, process)
    let ceiling = session.attributes.role.ceiling
    let state = min(state, ceiling)
    var scene = LiveScene(
      holder: asker.connection, hold: session.tenure.hold, state: state,
      target: state == .background ? .background : ceiling, isNew: false, reason: .resume,
      options: .none)
    scene.hasArrived = true
    enter(scene, identifier, detail: remark)
  }

  private func checkMayResume(
    _ identifier: SessionIdentifier, _ tenure: Tenure, _ resume: Resume, _ asker: Asker,
    _ process: ClientProcess
  ) throws(BrokerError) {
    guard tenure.hold == resume.hold else {
      throw BrokerError(
        .sessionNotHeld, "somebody else has held \(label(of: identifier)) since; connect afresh",
        retry: .now)
    }
    if let end = tenure.end, !end.reason.leavesAHoldToResume {
      throw BrokerError(
        .sessionNotHeld,
        "\(label(of: identifier))'s scene has ended: \(end.reason); connect afresh",
        retry: .now)
    }
    if let holder = reserved[identifier], holder != process { throw kept(identifier, for: holder) }
    guard let scene = scenes[identifier] else { return }
    guard peers[scene.holder]?.process == process else {
      throw inUse(identifier, by: scene.holder)
    }
    if scene.isLeaving, scene.holder == asker.connection { throw leaving(identifier) }
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
