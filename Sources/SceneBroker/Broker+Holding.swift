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
    hold(tenure, peer.process)
    let ceiling = session.attributes.role.ceiling
    var scene = LiveScene(
      holder: connection, hold: tenure.hold, state: .unattached,
      target: min(entrance.target ?? ceiling, ceiling), isNew: entrance.isNew,
      reason: entrance.reason, options: entrance.options)
    scene.missingConfiguration = entrance.missingConfiguration
    scene.bringing = entrance.bringing
    enter(scene, identifier, detail: by(entrance.by) ?? remark)
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
    touch(&tenure)
    record(.held(tenure))
  }

  /// Counts as the newest use.
  func touch(_ tenure: inout Tenure) {
    tenure.order = stored.lastOrder + 1
    tenure.used = now.wall
  }

  private mutating func enter(
    _ scene: LiveScene, _ identifier: SessionIdentifier, detail: String?
  ) {
    scenes[identifier] = scene
    census.add(scene.state)
    peers[scene.holder]?.held.append(identifier)
    lastHolders[identifier] = nil
    tell(
      .connected, identifier, reason: scene.reason.rawValue, state: scene.target,
      generation: stored[identifier]?.generation, detail: detail)
    noteChange(of: identifier)
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
    try checkMayResume(identifier, session.tenure, resume, peer.process)
    try checkRoom(on: asker.connection, besides: identifier)
    if let activity = message.activity { try saveFirst(activity, of: identifier) }
    replace(identifier)
    guard let tenure = stored[identifier]?.tenure else { throw notFound(identifier) }
    reserved[identifier] = nil
    let remark = entitle(session.attributes, message.title)
    hold(tenure, peer.process)
    let ceiling = session.attributes.role.ceiling
    let state = min(resume.state, ceiling)
    let scene = LiveScene(
      holder: asker.connection, hold: resume.hold, state: state,
      target: state == .background ? .background : ceiling, isNew: false, reason: .resume,
      options: .none)
    enter(scene, identifier, detail: remark)
    reply(
      asker,
      .connected(SceneConnect.Reply(session: identifier, reason: .resume, hold: resume.hold)),
      about: identifier)
    walk(identifier)
    retryWaiting(for: identifier)
  }

  /// What cannot be saved refuses the resume before anything is changed.
  private mutating func saveFirst(
    _ activity: Activity, of identifier: SessionIdentifier
  ) throws(BrokerError) {
    do throws(BrokerError) {
      _ = try save(activity, for: identifier)
    } catch {
      throw BrokerError(
        error.reason, "activity: \(error.message); resume without it, and save it later",
        retry: error.retry)
    }
  }

  private func checkMayResume(
    _ identifier: SessionIdentifier, _ tenure: Tenure, _ resume: Resume, _ process: ClientProcess
  ) throws(BrokerError) {
    guard tenure.hold == resume.hold else {
      throw BrokerError(
        .sessionNotHeld, "somebody else has held \(identifier) since; connect afresh",
        retry: .now)
    }
    if let holder = reserved[identifier], holder != process { throw kept(identifier, for: holder) }
    if let scene = scenes[identifier], peers[scene.holder]?.process != process {
      throw inUse(identifier, by: scene.holder)
    }
  }
}
