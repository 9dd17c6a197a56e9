import JSON
import SceneModel

/// What can be seen: nothing here changes anything.
extension Broker {
  mutating func list(_ message: SessionList, _ asker: Asker) {
    let limit = message.limit ?? Self.pageLimit
    guard (1...Self.pageLimit).contains(limit) else {
      return refuse(
        asker, BrokerError(.invalidParams, "limit: expected a number from 1 to \(Self.pageLimit)"))
    }
    let filter = message.matching.map(MemberFilter.init)
    let matching = (Array(stored.sessions.values) + Array(departing.values)).filter {
      matches($0, message, filter)
    }
    .sorted { $0.attributes.identifier < $1.attributes.identifier }
    let page = matching.prefix(limit)
    replyAboutAll(
      asker,
      .listed(
        SessionList.Reply(
          sessions: page.map(summary(of:)),
          next: page.count < matching.count ? page.last?.attributes.identifier : nil)))
  }

  private static let pageLimit = 1000

  private func matches(
    _ session: StoredSession, _ message: SessionList, _ filter: MemberFilter?
  ) -> Bool {
    let attributes = session.attributes
    if let after = message.after, attributes.identifier <= after { return false }
    if let role = message.role, role != attributes.role { return false }
    if let name = message.configuration, name != attributes.configuration.name { return false }
    let scene = scenes[attributes.identifier]
    if let state = message.state, state != scene?.state ?? .unattached { return false }
    if let client = message.client {
      guard let holder = scene?.holder, peers[holder]?.client?.name == client else { return false }
    }
    return filter?.matches(attributes.userInfo) ?? true
  }

  mutating func show(_ message: SessionShow, _ asker: Asker) {
    let identifier: SessionIdentifier
    switch (message.session, message.name) {
    case (let given?, nil): identifier = given
    case (nil, let name?):
      guard let named = session(named: name) else {
        return refuse(asker, BrokerError(.sessionNotFound, "no session is called \(name)"))
      }
      identifier = named
    case (nil, nil), (.some, .some):
      return refuse(asker, BrokerError(.invalidParams, "session, name: give one of them"))
    }
    guard let session = session(identifier) else { return refuse(asker, notFound(identifier)) }
    reply(
      asker,
      .shown(
        SessionDetails(
          sceneSession: SceneSessionRecord(session), summary: summary(of: session),
          snapshot: session.attributes.snapshot)),
      about: identifier)
  }

  func summary(of session: StoredSession) -> SessionSummary {
    var summary = SessionSummary()
    let attributes = session.attributes
    summary.session = attributes.identifier
    summary.name = attributes.name
    summary.title = attributes.title
    summary.role = attributes.role
    summary.configuration = attributes.configuration.name
    summary.lastUsed = session.tenure.used
    summary.generation = session.generation
    if let scene = scenes[attributes.identifier] {
      summary.state = scene.state
      summary.target = scene.target
      summary.client = peers[scene.holder]?.client
    } else {
      summary.disconnect = session.tenure.end
    }
    return summary
  }

  mutating func history(_ message: SessionHistory, _ asker: Asker) {
    guard let session = session(message.session) else {
      return refuse(asker, notFound(message.session))
    }
    reply(
      asker,
      .history(
        SessionHistory.Reply(
          generations: session.generations, reasons: story.chain(of: message.session))),
      about: message.session)
  }

  mutating func status(_ asker: Asker) {
    var status = ApplicationStatus.Reply()
    status.name = application
    status.phase = phase
    status.sessions = stored.sessions.count + departing.count
    status.scenes = scenes.count
    status.connections = peers.count
    status.durability = environment.durability
    status.manifest = environment.manifestSource
    status.startedAt = story.start.wall
    status.version = identity.version
    status.instance = identity.instance
    status.pid = identity.pid
    status.storage = storage.rawValue
    replyAboutAll(asker, .status(status))
  }
}

/// Which members an object must have, with which values.
struct MemberFilter {
  private let wanted: JSONDocument
  private let candidate = JSONDocument()

  init(_ object: CarriedObject) {
    wanted = JSONDocument()
    Self.read(object, into: wanted)
  }

  func matches(_ object: CarriedObject) -> Bool {
    Self.read(object, into: candidate)
    return wanted.root.members.allSatisfy { name, value in
      guard let member = candidate.root.member(named: name.string ?? "") else { return false }
      return member.isSameValue(as: value)
    }
  }

  private static func read(_ object: CarriedObject, into document: JSONDocument) {
    do throws(JSONError) {
      try document.read(object.json.bytes.span)
    } catch {
      preconditionFailure("a carried object was checked when it came in: \(error)")
    }
  }
}
