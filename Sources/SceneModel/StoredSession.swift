/// What is known of a session for as long as it exists, whoever holds it. Changes only by records;
/// it is looked at far more often than changed, and then handing it on is handing on one reference.
///
/// It is a value all the same, and may go to other threads: only ``StoredState`` changes one, and
/// makes a copy first if anybody else has it.
package final class StoredSession: Equatable, @unchecked Sendable {
  // Nothing that runs while one of these is changed can come back to this object.
  @safe @exclusivity(unchecked)
  package internal(set) var attributes: SessionAttributes
  /// The newest last; at most three, one of which may be older than the last three.
  @safe @exclusivity(unchecked)
  package private(set) var generations: [Generation]
  @safe @exclusivity(unchecked)
  package internal(set) var tenure: Tenure

  package init(
    attributes: SessionAttributes, generations: [Generation] = [], tenure: Tenure? = nil
  ) {
    self.attributes = attributes
    self.generations = generations
    self.tenure = tenure ?? Tenure(session: attributes.identifier)
  }

  func copy() -> StoredSession {
    StoredSession(attributes: attributes, generations: generations, tenure: tenure)
  }

  /// What is worth telling of it once it is gone: what it was, and its last activity.
  func lastOfIt() -> StoredSession {
    StoredSession(attributes: attributes, generations: activity == nil ? [] : generations.suffix(1))
  }

  /// Adds a generation; it takes the place of those that are not older, and of the oldest that is not
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
    return generations.firstIndex { $0.number != tenure.pinned }
  }

  package static func == (one: StoredSession, other: StoredSession) -> Bool {
    one === other
      || one.attributes == other.attributes && one.generations == other.generations
        && one.tenure == other.tenure
  }

  /// How many earlier activities can be given back.
  package static let generationsKept = 3

  /// The newest activity that was saved, if the last save was not null.
  package var activity: Activity? { generations.last?.activity }

  package var generation: Int64 { generations.last?.number ?? 0 }

  /// What no longer counts once another generation is saved.
  package var byteCountDroppedBySaving: Int {
    guard let index = indexDroppedBySaving else { return 0 }
    return generations[index].activity?.byteCount ?? 0
  }

  /// What the session counts for against the limit of stored bytes.
  package var byteCount: Int { attributes.byteCount + activityByteCount }

  var activityByteCount: Int {
    var count = 0
    for generation in generations { count += generation.activity?.byteCount ?? 0 }
    return count
  }
}

/// The part of a session that says what it is.
package struct SessionAttributes: Equatable, Sendable {
  package var identifier: SessionIdentifier
  package var name: String?
  package var role: Role
  package var configuration: SceneConfiguration
  /// The application delegate described the configuration, which no manifest has like that.
  package var isConfiguredByDelegate = false
  package var userInfo: CarriedObject
  package var title: String?
  package var subtitle: String?
  package var snapshot: String?
  package var activationConditions = ActivationConditions.standard
  /// The name of the client program it was made by, or for.
  package var maker: String
  /// Milliseconds since 1970.
  package var created: Int64

  package init(
    identifier: SessionIdentifier, name: String? = nil, role: Role = .windowApplication,
    configuration: SceneConfiguration, userInfo: CarriedObject = .empty, title: String? = nil,
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

  /// What any session counts for, however little is stored of it.
  package static let baseByteCount = 200

  /// What it counts for against the limit of stored bytes.
  package var byteCount: Int {
    Self.baseByteCount + userInfo.byteCount + (snapshot?.utf8.count ?? 0) + (name?.utf8.count ?? 0)
      + (title?.utf8.count ?? 0) + (subtitle?.utf8.count ?? 0) + activationConditions.byteCount
  }
}

/// One saved activity, or the saved fact that there is none.
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

/// Who holds a session, or how its last holder came to an end.
package struct Tenure: Equatable, Sendable {
  package var session: SessionIdentifier
  /// Counts the times the session was given to a client; a client that resumes shows it.
  package var hold: Int64 = 0
  /// Nil while nobody holds it.
  package var holder: ClientProcess?
  package var end: SessionEnd?
  /// Who held it last, if it answered until the end: the session goes there first.
  package var formerHolder: ClientProcess?
  /// Counts uses over all sessions: the greatest is the most recently used.
  package var order: Int64 = 0
  /// When it was last used, in milliseconds since 1970.
  package var used: Int64 = 0
  /// How many clients in a row were given the newest activity and lost their connection before
  /// their scene had arrived at its target state.
  package var earlyEnds: Int64 = 0
  /// The generation that is kept from scenes, while it is the newest.
  package var withheld: Int64?
  /// The generation that was withheld while it was the newest, and is kept until it is given back.
  package var pinned: Int64?

  package init(session: SessionIdentifier) { self.session = session }
}

/// How a session's last scene ended.
package struct SessionEnd: Equatable, Sendable {
  package var reason: DisconnectReason
  /// The callback that was not answered in time, where that was the reason.
  package var callback: String?
  /// How its client's process ended, where the broker had started that.
  package var exit: ClientExit?
  /// The signal that the client's process was sent before, where the broker sent it.
  package var signal: SentSignal?

  package init(
    reason: DisconnectReason, callback: String? = nil, exit: ClientExit? = nil
  ) {
    self.reason = reason
    self.callback = callback
    self.exit = exit
  }

  /// The client that ended the process, where that is certain: a process can survive other signals.
  package var killer: ClientReference? {
    guard reason == .connectionLost, let signal, signal.endsEveryProcess else { return nil }
    return signal.by
  }
}

extension SessionAttributes: JSONStructure {
  package init() { self.init(identifier: .none, configuration: SceneConfiguration()) }

  package mutating func members<Visitor: MemberVisitor>(
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

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("generation", &number)
    try visitor.required("activity", &activity)
    try visitor.required("saved", &saved)
  }
}

extension Tenure: JSONStructure {
  package init() { self.init(session: .none) }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("hold", &hold)
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

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("reason", &reason)
    try visitor.optional("callback", &callback)
    try visitor.optional("exit", &exit)
    try visitor.optional("signal", &signal)
  }
}
