/// The stored state of a session. Only records change it. A session is read far more often than
/// changed, so copies share one object.
///
/// The type is a value that can cross threads: only ``StoredState`` changes a session, and copies a
/// shared one first.
package final class StoredSession: Equatable, @unchecked Sendable {
  // No code that runs while one of these changes comes back to this object.
  @safe @exclusivity(unchecked)
  package internal(set) var attributes: SessionAttributes
  /// In order, the newest last: at most three, one of which can be an older, pinned one.
  @safe @exclusivity(unchecked)
  package private(set) var generations: [Generation]
  @safe @exclusivity(unchecked)
  package internal(set) var hold: Hold

  package init(
    attributes: SessionAttributes, generations: [Generation] = [], hold: Hold? = nil
  ) {
    self.attributes = attributes
    self.generations = generations
    self.hold = hold ?? Hold(session: attributes.identifier)
  }

  func copy() -> StoredSession {
    StoredSession(attributes: attributes, generations: generations, hold: hold)
  }

  /// The part that a report of the discard needs: the attributes and the last activity.
  func lastOfIt() -> StoredSession {
    StoredSession(attributes: attributes, generations: activity == nil ? [] : generations.suffix(1))
  }

  /// Adds a generation. It replaces generations that are not older, and the oldest one that is not
  /// pinned.
  func add(_ generation: Generation) {
    if let index = generations.firstIndex(where: { $0.number >= generation.number }) {
      generations.removeSubrange(index...)
    }
    if let index = indexDroppedBySaving { generations.remove(at: index) }
    generations.append(generation)
  }

  private var indexDroppedBySaving: Int? {
    guard generations.count == Self.generationsKept else { return nil }
    return generations.firstIndex { $0.number != hold.pinned }
  }

  package static func == (one: StoredSession, other: StoredSession) -> Bool {
    one === other
      || one.attributes == other.attributes && one.generations == other.generations
        && one.hold == other.hold
  }

  /// The number of stored activities.
  package static let generationsKept = 3

  /// The newest activity; nil if the last save was null.
  package var activity: Activity? { generations.last?.activity }

  package var generation: Int64 { generations.last?.number ?? 0 }

  /// The bytes that the next save drops.
  package var byteCountDroppedBySaving: Int {
    guard let index = indexDroppedBySaving else { return 0 }
    return generations[index].activity?.byteCount ?? 0
  }

  /// The size of the session for the limit `storedBytes`.
  package var byteCount: Int { attributes.byteCount + activityByteCount }

  var activityByteCount: Int {
    var count = 0
    for generation in generations { count += generation.activity?.byteCount ?? 0 }
    return count
  }
}

/// The attributes of a session.
package struct SessionAttributes: Equatable, Sendable {
  package var identifier: SessionIdentifier
  package var name: String?
  package var role: Role
  package var configuration: SceneConfiguration
  /// Whether the application delegate described the configuration, so that no manifest has it.
  package var isConfiguredByDelegate = false
  package var userInfo: OpaqueObject
  package var title: String?
  package var subtitle: String?
  package var snapshot: String?
  package var activationConditions = ActivationConditions.standard
  /// The name of the client program that made the session, or for which it was made.
  package var maker: String
  /// Milliseconds since 1970.
  package var created: Int64

  package init(
    identifier: SessionIdentifier, name: String? = nil, role: Role = .windowApplication,
    configuration: SceneConfiguration, userInfo: OpaqueObject = .empty, title: String? = nil,
    maker: String = "", created: Int64 = 0
  ) {
    self.identifier = identifier
    self.name = name
    self.role = role
    self.configuration = configuration
    self.userInfo = userInfo
    self.title = title
    self.maker = maker
    self.created = created
  }

  /// The size of a session without any texts.
  package static let baseByteCount = 200

  /// The size for the limit `storedBytes`.
  package var byteCount: Int {
    Self.baseByteCount + userInfo.byteCount + (snapshot?.utf8.count ?? 0) + (name?.utf8.count ?? 0)
      + (title?.utf8.count ?? 0) + (subtitle?.utf8.count ?? 0) + activationConditions.byteCount
  }
}

/// One save of an activity, or of none.
package struct Generation: Equatable, Sendable {
  package var session: SessionIdentifier
  /// Counts up from 1 within the session.
  package var number: Int64
  package var activity: Activity?
  /// Milliseconds since 1970.
  package var saved: Int64

  package init(session: SessionIdentifier, number: Int64, activity: Activity?, saved: Int64) {
    self.session = session
    self.number = number
    self.activity = activity
    self.saved = saved
  }
}

/// The holder of a session, or the end of its last holder.
package struct Hold: Equatable, Sendable {
  package var session: SessionIdentifier
  /// The number of times that the session was given to a client. A client that resumes sends it.
  package var number: Int64 = 0
  /// Nil for a session without a holder.
  package var holder: ClientProcess?
  package var end: SessionEnd?
  /// The last holder, if it answered the disconnection. It gets the session first.
  package var formerHolder: ClientProcess?
  /// The most recently used of all sessions has the highest value.
  package var order: Int64 = 0
  /// The time of the last use, in milliseconds since 1970.
  package var used: Int64 = 0
  /// The number of successive clients that got the newest activity and lost their connection before
  /// their scene reached its target state.
  package var earlyEnds: Int64 = 0
  /// The generation that scenes do not get while it is the newest.
  package var withheld: Int64?
  /// The generation that was withheld while it was the newest. It stays until it is restored.
  package var pinned: Int64?

  package init(session: SessionIdentifier) { self.session = session }
}

/// How a session's last scene ended.
package struct SessionEnd: Equatable, Sendable {
  package var reason: DisconnectReason
  /// The callback that exceeded its budget, if that was the reason.
  package var callback: String?
  /// How the client's process ended, if the broker had started it.
  package var exit: ClientExit?
  /// The signal that the broker sent to the client's process before.
  package var signal: SentSignal?

  package init(
    reason: DisconnectReason, callback: String? = nil, exit: ClientExit? = nil
  ) {
    self.reason = reason
    self.callback = callback
    self.exit = exit
  }

  /// The client that ended the process, if that is certain. A process can survive other signals.
  package var killer: ClientReference? {
    guard reason == .connectionLost, let signal, signal.endsEveryProcess else { return nil }
    return signal.by
  }
}

extension SessionAttributes: JSONStructure {
  package init() { self.init(identifier: .none, configuration: SceneConfiguration()) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &identifier)
    try visitor.optional("name", &name)
    try visitor.required("role", &role)
    try visitor.required("configuration", &configuration)
    try visitor.optional("configuredByDelegate", &isConfiguredByDelegate, otherwise: false)
    try visitor.optional("userInfo", &userInfo, otherwise: .empty)
    try visitor.optional("title", &title)
    try visitor.optional("subtitle", &subtitle)
    try visitor.optional("snapshot", &snapshot)
    try visitor.optional(
      "activationConditions", &activationConditions, otherwise: .standard)
    try visitor.required("maker", &maker)
    try visitor.required("created", &created)
  }
}

extension Generation: JSONStructure {
  package init() { self.init(session: .none, number: 0, activity: nil, saved: 0) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("generation", &number)
    try visitor.required("activity", &activity)
    try visitor.required("saved", &saved)
  }
}

extension Hold: JSONStructure {
  package init() { self.init(session: .none) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("hold", &number)
    try visitor.optional("holder", &holder)
    try visitor.optional("end", &end)
    try visitor.optional("formerHolder", &formerHolder)
    try visitor.required("order", &order)
    try visitor.required("used", &used)
    try visitor.optional("earlyEnds", &earlyEnds, otherwise: 0)
    try visitor.optional("withheld", &withheld)
    try visitor.optional("pinned", &pinned)
  }
}

extension SessionEnd: JSONStructure {
  package init() { self.init(reason: .connectionLost) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("reason", &reason)
    try visitor.optional("callback", &callback)
    try visitor.optional("exit", &exit)
    try visitor.optional("signal", &signal)
  }
}
