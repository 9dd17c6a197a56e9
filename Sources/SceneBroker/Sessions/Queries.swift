import SceneJSON
import SceneModel

/// Requests that only read sessions and the application.
extension Broker {
  /// The bytes of a reply without its identifier and its envelope.
  var replyBytes: Int { limits.frameBytes - Limits.frameOverhead }

  /// The bytes of userInfo that one page may read, so that other requests do not wait for long. A
  /// rare match gives short pages.
  static let bytesReadForAPage = 1 << 20

  mutating func list(_ message: SessionList, _ requester: Requester) throws(BrokerError) {
    guard requester.request != nil else { return }
    let most = max(1, limits.pageSessions)
    let limit = message.limit ?? most
    guard (1...most).contains(limit) else {
      throw BrokerError(.invalidParams, "limit: expected a number from 1 to \(most)")
    }
    replyAboutAll(requester, page(message, limit: limit))
  }

  private mutating func page(_ message: SessionList, limit: Int) -> SessionList.Reply {
    let filter = message.matching.map(UserInfoFilter.init)
    var page = SessionList.Reply()
    var room = replyBytes
    var readBytes = Self.bytesReadForAPage
    var last: SessionIdentifier?
    for identifier in sessions(of: message) {
      let trashed = message.discarded ? store.state.trash[identifier] : nil
      guard let session = trashed?.session ?? store.listed(identifier), matches(session, message)
      else { continue }
      let userInfo = session.attributes.userInfo
      if filter != nil { readBytes -= userInfo.byteCount + 64 }
      guard readBytes >= 0 || last == nil else {
        page.next = last
        break
      }
      defer { last = identifier }
      guard filter?.matches(userInfo) ?? true else { continue }
      var summary = summary(of: session)
      summary.until = trashed?.until
      room -= summary.jsonByteCount + 1
      guard page.sessions.count < limit, room >= 0 || page.sessions.isEmpty else {
        page.next = last
        break
      }
      page.sessions.append(summary)
    }
    return page
  }

  /// The sessions that follow `after`: by identifier, or the newest of the trash first.
  private mutating func sessions(of message: SessionList) -> ArraySlice<SessionIdentifier> {
    guard message.discarded else { return store.listing(after: message.after) }
    let all = store.state.trash.values.inOrderOfEnd.reversed().map(\.discard.session)
    guard let after = message.after else { return all[...] }
    return all[(all.firstIndex(of: after).map { $0 + 1 } ?? all.endIndex)...]
  }

  private func matches(_ session: StoredSession, _ message: SessionList) -> Bool {
    let attributes = session.attributes
    if let role = message.role, role != attributes.role { return false }
    if let name = message.configuration, name != attributes.configuration.name { return false }
    if let state = message.state, state != scenes[attributes.identifier]?.state ?? .unattached {
      return false
    }
    if let expected = message.wasOpen, expected != wasOpen(session) { return false }
    if let client = message.client {
      guard let holder = scenes[attributes.identifier]?.holder,
        clients[holder]?.client?.name == client
      else { return false }
    }
    return true
  }

  /// A process that waits for the next scene of its session still has the window. A process whose
  /// program has failed does not wait.
  private func wasOpen(_ session: StoredSession) -> Bool {
    let identifier = session.attributes.identifier
    let summary = summary(of: session)
    guard summary.wasOpen, manifest.reopens(session.attributes) else { return false }
    if summary.state != .unattached { return true }
    if session.hold.end?.exit != nil { return true }
    let delegateClass = manifest.currentConfiguration(of: session.attributes).configuration
      .delegateClass
    return clients.reservations[identifier] == nil
      && previousHolder(of: identifier, hosting: delegateClass) == nil
  }

  mutating func show(_ message: SessionShow, _ requester: Requester) throws(BrokerError) {
    let identifier: SessionIdentifier
    switch (message.session, message.name) {
    case (let given?, nil): identifier = given
    case (nil, let name?):
      guard let named = store.listed(named: name) else {
        throw absence(named: name)
      }
      identifier = named
    case (nil, nil), (.some, .some):
      throw BrokerError(.invalidParams, "session, name: give exactly one")
    }
    guard let session = store.listed(identifier) else {
      throw absence(of: identifier)
    }
    reply(requester, details(of: session), about: identifier)
  }

  mutating func resolve(_ message: SessionResolve, _ requester: Requester) throws(BrokerError) {
    let named = store.listed(named: message.word)
    let matches = IdentifierPrefix(message.word).map { store.listing(in: $0.range) } ?? []
    guard let found = named ?? matches.first else {
      throw absence(named: message.word)
    }
    var answer = SessionResolve.Reply()
    if named != nil || matches.count == 1 {
      answer.details = store.listed(found).map { details(of: $0) }
    }
    let others = matches.filter { $0 != answer.details?.summary.session }
    answer.count = others.count
    answer.matches = Array(
      others.prefix(answer.details == nil ? SessionResolve.Reply.listedMatches : 1))
    if matches.isEmpty {
      reply(requester, answer, about: found)
    } else {
      replyAboutAll(requester, answer)
    }
  }

  func summary(of session: StoredSession) -> SessionSummary {
    let identifier = session.attributes.identifier
    return SessionSummary(
      session, scene: status(of: identifier), restart: launches.restarts.status(of: identifier))
  }

  private func details(of session: StoredSession) -> SessionDetails {
    let identifier = session.attributes.identifier
    return SessionDetails(
      session, scene: status(of: identifier), restart: launches.restarts.status(of: identifier))
  }

  /// The state of the session's scene; nil without a scene.
  @inline(__always)
  private func status(of session: SessionIdentifier) -> SceneStatus? {
    scenes[session].map {
      var client = clients[$0.holder]?.reference
      if $0.pings.isUnresponsive { client?.isUnresponsive = true }
      return SceneStatus(state: $0.state, target: $0.target, client: client)
    }
  }

  mutating func history(_ message: SessionHistory, _ requester: Requester) throws(BrokerError) {
    guard let session = store.listed(message.session) else {
      throw absence(of: message.session)
    }
    // The activities come first. The reasons get the rest of the space, the newest of them first.
    let end = scenes[message.session] == nil ? session.hold.end : nil
    let endBytes = end?.jsonByteCount ?? 0
    var room = session.generations.reduce(replyBytes - endBytes) {
      $0 - $1.jsonByteCount - 1
    }
    var reasons = traceBuffer.chain(of: message.session)[...]
    for (index, entry) in reasons.enumerated().reversed() {
      room -= entry.jsonByteCount + 1
      guard room >= 0 else {
        reasons = reasons.dropFirst(index + 1)
        break
      }
    }
    reply(
      requester,
      SessionHistory.Reply(
        generations: session.generations, reasons: Array(reasons),
        withheld: session.withheldOrPinned,
        end: end, staysClosed: !manifest.reopens(session.attributes)),
      about: message.session)
  }

  mutating func status(_ requester: Requester) {
    var status = ApplicationStatus.Reply()
    status.name = application
    status.phase = phase
    status.sessions = store.listedCount
    status.scenes = scenes.all.count
    // The trace has no other connections, either.
    status.connections = clients.initialized.count
    status.durability = environment.durability
    status.manifest = environment.manifestSource
    status.startedAt = traceBuffer.start.wall
    status.now = now.wall
    status.version = identity.version
    status.instance = identity.instance
    status.pid = identity.pid
    status.storage = room.rawValue
    status.clock = environment.clock.rawValue
    status.bytes = totalByteCount
    status.byteLimit = limits.totalBytes
    let waiting = deferred.count(.delegate)
    if waiting > 0 { status.awaitingDelegate = waiting }
    status.bundleName = manifest.bundleName
    status.bundleVersion = manifest.bundleVersion
    status.previous = environment.previous
    status.pressure = launches.pressure.watch
    status.delegate = delegate.connection.flatMap { clients[$0]?.client }
    replyAboutAll(requester, status)
  }
}

/// The members that the user info of a session must have.
struct UserInfoFilter {
  private let wanted = JSONDocument()
  private let candidate = JSONDocument()

  init(_ object: OpaqueObject) { Self.read(object, into: wanted) }

  func matches(_ object: OpaqueObject) -> Bool {
    Self.read(object, into: candidate)
    return wanted.root.members.allSatisfy { name, value in
      guard let member = candidate.root.member(named: name.string ?? "") else { return false }
      return member.isSameValue(as: value)
    }
  }

  private static func read(_ object: OpaqueObject, into document: JSONDocument) {
    do throws(JSONError) {
      try document.read(object.json.bytes.span)
    } catch {
      preconditionFailure("invalid object in a checked request: \(error)")
    }
  }
}
