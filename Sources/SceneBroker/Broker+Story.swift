import SceneModel

extension Broker {
  /// Adds to the story, and tells those who follow it. It is called once what it tells is recorded,
  /// so that nobody is told before that is on disk; a session that is gone by then is `gone`.
  mutating func tell(
    _ event: TraceEvent, _ session: SessionIdentifier? = nil, gone: StoredSession? = nil,
    client: ConnectionIdentifier? = nil, process: ClientReference? = nil,
    callback: CallbackKind? = nil, delegateCallback: DelegateCallbackKind? = nil,
    reason: String? = nil, state: ActivationState? = nil, generation: Int64? = nil,
    hold: Int64? = nil, withheld: WithholdingReason? = nil, options: ConnectionOptions = .none,
    event posted: TopicEvent? = nil, topic: String? = nil, position: EventPosition? = nil,
    by asker: Asker? = nil, sender: ClientReference? = nil, detail: String? = nil
  ) {
    var entry = TraceEntry(event)
    entry.session = session
    entry.name =
      (gone ?? session.flatMap { self.session($0) })?.attributes.name
      ?? session.flatMap { nameToBe(of: $0) }
    let connection = client ?? session.flatMap { scenes[$0]?.holder }
    entry.client = process ?? connection.flatMap { peers[$0]?.client }
    entry.callback = callback?.rawValue ?? delegateCallback?.rawValue
    entry.reason = reason
    entry.state = state
    entry.generation = generation
    entry.hold = hold
    entry.withheld = withheld
    if options != .none { entry.show(options) }
    entry.topic = posted?.topic ?? topic
    entry.kind = posted?.kind
    entry.position = position
    entry.by = asker.flatMap { reference(to: $0) } ?? sender
    entry.detail = detail?.clipped(to: TraceEntry.detailBytes)
    story.add(&entry, at: now)
    for observer in traceObservers {
      send(.notification(.trace(entry)), to: observer, about: session, topic: entry.topic)
    }
    effects.story.append(entry)
  }

  /// Who asked.
  func reference(to asker: Asker) -> ClientReference? {
    peers[asker.connection]?.client.map {
      ClientReference(name: $0.name.clipped(to: 100), pid: $0.pid)
    }
  }

  mutating func trace(_ message: TraceObserve, _ asker: Asker) {
    let after = message.after ?? 0
    guard after >= 0 else {
      return refuse(asker, BrokerError(.invalidParams, "after: expected the number of an entry"))
    }
    reply(asker, .empty, about: nil)
    // What came since then it has been sent already.
    guard !traceObservers.contains(asker.connection) else { return }
    // As much as leaves room in what may wait for one connection.
    for entry in story.entries(after: after, byteCount: limits.outboxBytes / 2) {
      send(
        .notification(.trace(entry)), to: asker.connection, about: entry.session,
        topic: entry.topic)
    }
    traceObservers.insert(asker.connection)
  }

  mutating func observe(_ asker: Asker) {
    reply(asker, .empty, about: nil)
    sessionObservers.insert(asker.connection)
  }

  /// Notes that a session's summary is another; it is told once, when the round ends.
  mutating func noteChange(of session: SessionIdentifier) {
    guard !sessionObservers.isEmpty, changed.last != session else { return }
    changed.append(session)
  }

  /// Tells what has changed. Of each session one change at a time waits for the disk; what comes
  /// meanwhile is told in one, when that is there.
  mutating func announceChanges() {
    guard !changed.isEmpty else { return }
    var told: Set<SessionIdentifier> = []
    for identifier in changed where told.insert(identifier).inserted {
      if !announced.outdate(identifier) { announceChange(of: identifier) }
    }
    changed.removeAll(keepingCapacity: true)
  }

  /// Tells also what would wait: for an answer that must come behind all changes.
  mutating func announceAllChanges() {
    changed += announced.takeOutdated()
    announceChanges()
  }

  private mutating func announceChange(of identifier: SessionIdentifier) {
    let notification: BrokerNotification =
      session(identifier).map { .sessionChanged(summary(of: $0)) }
      ?? .sessionDiscarded(identifier)
    for observer in sessionObservers {
      send(.notification(notification), to: observer, about: identifier)
    }
    announced.add(identifier, waitingFor: unsynced.newest(of: identifier))
  }

  /// Tells what the disk has room for, if that is another than before.
  mutating func announceRoom() {
    let room = room
    guard disk.isNews(room) else { return }
    tell(.storage, reason: room.rawValue, detail: room == .ok ? nil : disk.problem)
  }

  /// Sends the phase to everybody, if it is another than before.
  mutating func announcePhase() {
    let current = ApplicationPhase(highest: census.highest)
    guard current != phase else { return }
    phase = current
    for connection in peers.keys.sorted() where peers[connection]?.client != nil {
      send(.notification(.phaseChanged(current)), to: connection, about: nil)
    }
  }
}

/// Connections in the order of their numbers, so that what they are sent never depends on a hash.
struct Followers: Sequence {
  private var connections: [ConnectionIdentifier] = []

  var isEmpty: Bool { connections.isEmpty }

  mutating func insert(_ connection: ConnectionIdentifier) {
    let index = connections.firstIndex { $0 >= connection } ?? connections.endIndex
    guard index == connections.endIndex || connections[index] != connection else { return }
    connections.insert(connection, at: index)
  }

  mutating func remove(_ connection: ConnectionIdentifier) {
    connections.removeAll { $0 == connection }
  }

  func makeIterator() -> IndexingIterator<[ConnectionIdentifier]> { connections.makeIterator() }
}

/// Changes that were told and wait for the disk, at most one of each session.
struct AnnouncedChanges {
  private struct Change {
    /// What it waits for.
    let record: UInt64
    /// Whether the session has changed since.
    var isOutdated = false
  }

  private var changes: [SessionIdentifier: Change] = [:]

  mutating func add(_ session: SessionIdentifier, waitingFor record: UInt64?) {
    if let record { changes[session] = Change(record: record) }
  }

  /// The session has changed again; false if none of it waits.
  mutating func outdate(_ session: SessionIdentifier) -> Bool {
    guard let index = changes.index(forKey: session) else { return false }
    changes.values[index].isOutdated = true
    return true
  }

  /// All records up to this number are on disk. Gives the sessions that have changed since they were
  /// told.
  mutating func takeOutdated(upTo number: UInt64 = .max) -> [SessionIdentifier] {
    guard !changes.isEmpty else { return [] }
    let gone = changes.filter { $0.value.record <= number }
    for session in gone.keys { changes[session] = nil }
    return gone.filter { $0.value.isOutdated }.keys.sorted()
  }
}

/// How many scenes are in each state.
struct Census: Equatable {
  private var background = 0
  private var foregroundInactive = 0
  private var foregroundActive = 0

  mutating func add(_ state: ActivationState) { count(state, 1) }
  mutating func remove(_ state: ActivationState) { count(state, -1) }

  private mutating func count(_ state: ActivationState, _ change: Int) {
    switch state {
    case .unattached: break
    case .background: background += change
    case .foregroundInactive: foregroundInactive += change
    case .foregroundActive: foregroundActive += change
    }
  }

  var highest: ActivationState {
    if foregroundActive > 0 { return .foregroundActive }
    if foregroundInactive > 0 { return .foregroundInactive }
    return background > 0 ? .background : .unattached
  }
}
