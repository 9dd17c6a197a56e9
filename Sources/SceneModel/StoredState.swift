/// All that survives the broker: it changes only by applying records, so what a journal replays to
/// is what was live.
package struct StoredState: Sendable {
  package private(set) var sessions: [SessionIdentifier: StoredSession] = [:]
  /// The sessions that have a name, by it.
  package private(set) var names: [String: SessionIdentifier] = [:]
  /// The greatest order of use that was given out.
  package private(set) var lastOrder: Int64 = 0
  /// What all sessions count for against the limit of stored bytes.
  package private(set) var byteCount = 0
  /// What the events of all topics take, in about.
  package var eventByteCount: Int { topics.values.reduce(0) { $0 + $1.byteCount } }
  /// The topics that survive the broker, by name.
  package private(set) var topics: [String: Topic] = [:]

  package init() {}

  package subscript(session: SessionIdentifier) -> StoredSession? { sessions[session] }

  package func contains(_ session: SessionIdentifier) -> Bool {
    sessions.index(forKey: session) != nil
  }

  package mutating func apply(_ record: Record) throws(RecordError) {
    switch record {
    case .session(let attributes): try apply(attributes)
    case .activity(let generation): try apply(generation)
    case .held(let tenure): try apply(tenure)
    case .discard(let discard): remove(discard.session)
    case .topic(let attributes): apply(attributes)
    case .event(let event): try apply(event)
    case .topicEnd(let end): topics[end.name] = nil
    }
  }

  private mutating func apply(_ attributes: SessionAttributes) throws(RecordError) {
    let identifier = attributes.identifier
    if let name = attributes.name, let other = names[name], other != identifier {
      throw RecordError(problem: "the name \(name) is given to \(identifier) and to \(other)")
    }
    if contains(identifier) {
      let session = try sessionToChange(identifier, for: .session)
      if let name = session.attributes.name { names[name] = nil }
      byteCount += attributes.byteCount - session.attributes.byteCount
      session.attributes = attributes
    } else {
      let session = StoredSession(attributes: attributes)
      byteCount += session.byteCount
      sessions[identifier] = session
    }
    if let name = attributes.name { names[name] = identifier }
  }

  private mutating func apply(_ generation: Generation) throws(RecordError) {
    let session = try sessionToChange(generation.session, for: .activity)
    byteCount -= session.activityByteCount
    session.add(generation)
    byteCount += session.activityByteCount
  }

  private mutating func apply(_ tenure: Tenure) throws(RecordError) {
    try sessionToChange(tenure.session, for: .held).tenure = tenure
    lastOrder = max(lastOrder, tenure.order)
  }

  private mutating func apply(_ attributes: TopicAttributes) {
    topics[attributes.name, default: Topic(attributes)].change(to: attributes)
  }

  /// One that is there already stays.
  private mutating func apply(_ event: TopicEvent) throws(RecordError) {
    guard let last = topics[event.topic]?.last else {
      throw RecordError(problem: "an event for no topic: \(event.topic)")
    }
    guard event.number <= last + 1 else {
      throw RecordError(
        problem: "event \(event.number) of the topic \(event.topic) follows event \(last)")
    }
    if event.number > last { topics[event.topic]?.append(event) }
  }

  /// The session, which nobody else has from now on.
  private mutating func sessionToChange(
    _ identifier: SessionIdentifier, for kind: RecordKind
  ) throws(RecordError) -> StoredSession {
    guard let index = sessions.index(forKey: identifier) else {
      throw RecordError(problem: "a record of kind \(kind.name) for no session: \(identifier)")
    }
    if !isKnownUniquelyReferenced(&sessions.values[index]) {
      sessions.values[index] = sessions.values[index].copy()
    }
    return sessions.values[index]
  }

  private mutating func remove(_ identifier: SessionIdentifier) {
    guard let session = sessions.removeValue(forKey: identifier) else { return }
    byteCount -= session.byteCount
    if let name = session.attributes.name { names[name] = nil }
  }

  /// The fewest records that add up to this state: sessions in the order of their identifiers, then
  /// topics in that of their names.
  package func forEachRecord<Failure: Error>(
    _ body: (Record) throws(Failure) -> Void
  ) throws(Failure) {
    for identifier in sessions.keys.sorted() { try forEachRecord(of: identifier, body) }
    for name in topics.keys.sorted() {
      guard let topic = topics[name] else { continue }
      try body(.topic(topic.attributes))
      for event in topic.events { try body(.event(event)) }
    }
  }

  /// The fewest records that add up to one session.
  package func forEachRecord<Failure: Error>(
    of identifier: SessionIdentifier, _ body: (Record) throws(Failure) -> Void
  ) throws(Failure) {
    guard let session = sessions[identifier] else { return }
    try body(.session(session.attributes))
    for generation in session.generations { try body(.activity(generation)) }
    if session.tenure != Tenure(session: identifier) { try body(.held(session.tenure)) }
  }
}

extension StoredState: Equatable {
  /// What the sessions and topics are decides; the rest follows from them, but for an order of use
  /// that a discarded session had.
  package static func == (one: Self, other: Self) -> Bool {
    one.sessions == other.sessions && one.topics == other.topics
  }
}
