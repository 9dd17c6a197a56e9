/// The state that survives the broker. Only records change it, so the replay of a journal gives the
/// same state.
package struct StoredState: Sendable {
  package private(set) var sessions: [SessionIdentifier: StoredSession] = [:]
  /// The sessions whose hold belongs to a process: see ``Hold/belongsToProcess``.
  package private(set) var sessionsOfProcesses: Set<SessionIdentifier> = []
  /// The sessions with a name, by name.
  package private(set) var names: [String: SessionIdentifier] = [:]
  /// The greatest `order` of all holds.
  package private(set) var lastOrder: Int64 = 0
  /// The size of all sessions for the limit `storedBytes`.
  package private(set) var byteCount = 0
  /// The approximate size of the events of all topics.
  package private(set) var eventByteCount = 0
  /// The durable topics, by name.
  package private(set) var topics: [String: Topic] = [:]
  /// One element, or none before the first discard that the broker stores.
  private var gone: [DiscardedSessions] = []
  /// Whether an application delegate has ever connected.
  package private(set) var hasHadDelegate = false
  /// Texts of the session that was added last. Sessions with equal texts share their memory.
  private var shared = SharedTexts()

  package init() {}

  package mutating func returnUnusedCapacity() {
    sessions.returnUnusedCapacity()
    names.returnUnusedCapacity()
  }

  package subscript(session: SessionIdentifier) -> StoredSession? { sessions[session] }

  /// The discarded sessions that the application delegate has not confirmed, the oldest first. The
  /// sessions of one report are neighbors.
  package var discarded: [DiscardedSession] { gone.first?.reports ?? [] }

  /// The part of `byteCount` for the sessions in `discarded`.
  package var discardedByteCount: Int { gone.first?.reportByteCount ?? 0 }

  /// The sessions in the trash. They are in no list, and their names are free.
  package var trash: [SessionIdentifier: TrashedSession] { gone.first?.trash ?? [:] }

  /// The part of `byteCount` for the trash.
  package var trashByteCount: Int { gone.first?.trashByteCount ?? 0 }

  package func contains(_ session: SessionIdentifier) -> Bool {
    sessions.index(forKey: session) != nil
  }

  package mutating func apply(_ record: consuming Record) throws(MemberError) {
    switch consume record {
    case .session(let attributes): try apply(attributes)
    case .activity(let generation): try apply(generation)
    case .held(let hold): try apply(hold)
    case .discard(let discard): remove(discard)
    case .topic(let attributes): apply(attributes)
    case .event(let event): try apply(event)
    case .topicEnd(let end):
      eventByteCount -= topics.removeValue(forKey: end.name)?.byteCount ?? 0
    case .discardReported(let known): forget(known.report)
    case .delegateKnown: hasHadDelegate = true
    }
  }

  private mutating func apply(_ attributes: consuming SessionAttributes) throws(MemberError) {
    let identifier = attributes.identifier
    let name = attributes.name
    if let name, let other = names[name], other != identifier {
      throw MemberError(
        problem: "the sessions \(identifier) and \(other) have the same name \(name)")
    }
    if contains(identifier) {
      let session = try sessionToChange(identifier, for: .session)
      if let name = session.attributes.name { names[name] = nil }
      byteCount -= session.byteCount
      session.change(to: attributes)
      byteCount += session.byteCount
    } else {
      shared.share(&attributes)
      let session: StoredSession
      if let trashed = takeFromTrash(identifier) {
        session = trashed.session.copy()
        session.change(to: attributes)
      } else {
        session = StoredSession(attributes: attributes)
      }
      byteCount += session.byteCount
      sessions[identifier] = session
    }
    if let name { names[name] = identifier }
  }

  private mutating func apply(_ generation: consuming Generation) throws(MemberError) {
    let session = try sessionToChange(generation.session, for: .activity)
    byteCount -= session.byteCount
    session.add(generation)
    byteCount += session.byteCount
  }

  private mutating func apply(_ hold: consuming Hold) throws(MemberError) {
    let session = try sessionToChange(hold.session, for: .held)
    lastOrder = max(lastOrder, hold.order)
    if hold.belongsToProcess {
      sessionsOfProcesses.insert(hold.session)
    } else if !sessionsOfProcesses.isEmpty {
      sessionsOfProcesses.remove(hold.session)
    }
    session.hold = hold
  }

  private mutating func apply(_ attributes: TopicAttributes) {
    let before = topics[attributes.name]?.byteCount ?? 0
    topics[attributes.name, default: Topic(attributes)].change(to: attributes)
    eventByteCount += (topics[attributes.name]?.byteCount ?? 0) - before
  }

  /// A stored event stays.
  private mutating func apply(_ event: TopicEvent) throws(MemberError) {
    guard let last = topics[event.topic]?.last, let before = topics[event.topic]?.byteCount else {
      throw MemberError(problem: "an event of an unknown topic: \(event.topic)")
    }
    guard event.number <= last + 1 else {
      throw MemberError(
        problem: "event \(event.number) of the topic \(event.topic) follows event \(last)")
    }
    if event.number > last { topics[event.topic]?.append(event) }
    eventByteCount += (topics[event.topic]?.byteCount ?? 0) - before
  }

  /// The session, as an object that no other value shares.
  private mutating func sessionToChange(
    _ identifier: SessionIdentifier, for kind: RecordKind
  ) throws(MemberError) -> StoredSession {
    guard let index = sessions.index(forKey: identifier) else {
      throw MemberError(
        problem: "a record of kind \(kind.name) for an unknown session: \(identifier)")
    }
    if !isKnownUniquelyReferenced(&sessions.values[index]) {
      sessions.values[index] = sessions.values[index].copy()
    }
    return sessions.values[index]
  }

  private mutating func remove(_ discard: Discard) {
    let session: StoredSession
    if let stored = sessions.removeValue(forKey: discard.session) {
      session = stored
      sessionsOfProcesses.remove(discard.session)
      byteCount -= stored.byteCount
      if let name = stored.attributes.name { names[name] = nil }
    } else if let trashed = takeFromTrash(discard.session) {
      session = trashed.session
    } else {
      return
    }
    guard discard.until != nil || discard.report != nil else { return }
    if gone.isEmpty { gone.append(DiscardedSessions()) }
    if discard.until != nil {
      gone[0].trash[discard.session] = TrashedSession(session: session.trashed(), discard: discard)
      gone[0].trashByteCount += session.byteCount
      byteCount += session.byteCount
    } else if let report = discard.report {
      let last = session.reported()
      byteCount += last.byteCount
      gone[0].reportByteCount += last.byteCount
      gone[0].reports.append(DiscardedSession(session: last, report: report, more: discard.more))
    }
  }

  private mutating func takeFromTrash(_ session: SessionIdentifier) -> TrashedSession? {
    guard !gone.isEmpty, let trashed = gone[0].trash.removeValue(forKey: session) else {
      return nil
    }
    byteCount -= trashed.session.byteCount
    gone[0].trashByteCount -= trashed.session.byteCount
    return trashed
  }

  private mutating func forget(_ report: ReportIdentifier) {
    let discarded = discarded
    guard let start = discarded.firstIndex(where: { $0.report == report }) else { return }
    let rest = discarded[start...]
    let end = rest.firstIndex { $0.report != report } ?? rest.endIndex
    let size = discarded[start..<end].reduce(0) { $0 + $1.session.byteCount }
    byteCount -= size
    gone[0].reportByteCount -= size
    gone[0].reports.removeSubrange(start..<end)
  }
}

extension StoredState: Equatable {
  /// The sessions, topics, unconfirmed discards and the trash decide. The rest follows from them,
  /// except an order of use that a discarded session had.
  package static func == (one: Self, other: Self) -> Bool {
    one.sessions == other.sessions && one.topics == other.topics
      && one.discarded == other.discarded && one.trash == other.trash
      && one.hasHadDelegate == other.hasHadDelegate
  }
}

extension StoredState {
  /// The position of a writer that writes the state in steps, with pauses between two sessions or
  /// two events.
  package struct Cursor: Sendable {
    private var includesDelegate: Bool
    private var discarded: Range<Int>
    private var trash: [SessionIdentifier]
    /// The sessions and topics that are not written, the next one last.
    private var sessions: [SessionIdentifier]
    private var topics: [String]
    /// The last written event of the next topic; nil before the first one.
    private var event: Int64?

    package init(_ state: StoredState) {
      includesDelegate = state.hasHadDelegate
      discarded = state.discarded.indices
      trash = state.trash.keys.sorted(by: >)
      sessions = state.sessions.keys.sorted(by: >)
      topics = state.topics.keys.sorted(by: >)
    }

    package var isAtEnd: Bool {
      !includesDelegate && discarded.isEmpty && trash.isEmpty && sessions.isEmpty
        && topics.isEmpty
    }

    /// Visits the next records: all of one session, or some of one topic, whose events can be more
    /// than one step takes.
    package mutating func takeNext(of state: StoredState, _ body: (Record) -> Void) {
      if includesDelegate {
        includesDelegate = false
        body(.delegateKnown)
      } else if let next = discarded.popFirst() {
        // Before the sessions: a session can have the name of a discarded one.
        state.forEachRecord(ofDiscarded: next, body)
      } else if let session = trash.popLast(), let trashed = state.trash[session] {
        state.forEachRecord(of: trashed.session, body)
        body(.discard(trashed.discard))
      } else if let session = sessions.popLast().flatMap({ state[$0] }) {
        state.forEachRecord(of: session, body)
      } else if let topic = topics.last.flatMap({ state.topics[$0] }) {
        takeNext(of: topic, body)
      }
    }

    private mutating func takeNext(of topic: Topic, _ body: (Record) -> Void) {
      if let event {
        topic.event(event + 1).map { body(.event($0)) }
      } else {
        body(.topic(topic.attributes))
      }
      let written = event.map { $0 + 1 } ?? topic.attributes.after
      event = written < topic.last ? written : nil
      if event == nil { topics.removeLast() }
    }
  }

  /// The fewest records of a discarded session. They precede the records of sessions, one of which
  /// can have its name.
  fileprivate func forEachRecord(ofDiscarded index: Int, _ body: (Record) -> Void) {
    let gone = discarded[index]
    body(.session(gone.session.attributes))
    for generation in gone.session.generations { body(.activity(generation)) }
    body(
      .discard(
        Discard(
          session: gone.session.attributes.identifier, report: gone.report, more: gone.more)))
  }

  /// The fewest records of one session.
  fileprivate func forEachRecord(of session: StoredSession, _ body: (Record) -> Void) {
    body(.session(session.attributes))
    for generation in session.generations { body(.activity(generation)) }
    if session.hold != Hold(session: session.attributes.identifier) { body(.held(session.hold)) }
  }
}

/// A discarded session that the application delegate has not confirmed.
package struct DiscardedSession: Equatable, Sendable {
  package let session: StoredSession
  package let report: ReportIdentifier
  /// Whether another report of the same request follows.
  package let more: Bool
}

/// The texts that most sessions have in common, so that they are in memory once.
private struct SharedTexts: Sendable {
  private var configuration = ""
  private var delegateClass: String?
  private var maker = ""

  /// Replaces texts by equal ones of the previous session, and remembers the others.
  mutating func share(_ attributes: inout SessionAttributes) {
    Self.share(&attributes.configuration.name, with: &configuration)
    Self.share(&attributes.configuration.delegateClass, with: &delegateClass)
    Self.share(&attributes.maker, with: &maker)
  }

  @inline(__always)
  private static func share<Text: Equatable>(_ text: inout Text, with previous: inout Text) {
    if text == previous { text = previous } else { previous = text }
  }
}
