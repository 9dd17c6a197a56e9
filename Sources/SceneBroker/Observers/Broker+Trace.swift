import SceneModel

extension Broker {
  /// Appends an entry to the trace and sends it to the observers. Call it after the record of what
  /// it tells, so that the disk has that record first. `gone` is a session that exists no more.
  mutating func tell(
    _ event: TraceEvent, _ session: SessionIdentifier? = nil, gone: StoredSession? = nil,
    client: ConnectionIdentifier? = nil, process: ClientReference? = nil,
    callback: CallbackKind? = nil, delegateCallback: DelegateCallbackKind? = nil,
    reason: String? = nil, state: ActivationState? = nil, generation: Int64? = nil,
    hold: Int64? = nil, withheld: WithholdingReason? = nil, options: ConnectionOptions = .none,
    event posted: TopicEvent? = nil, topic: String? = nil, position: EventPosition? = nil,
    by requester: Requester? = nil, sender: ClientReference? = nil, detail: String? = nil
  ) {
    var entry = TraceEntry(event)
    entry.session = session
    entry.name =
      (gone ?? session.flatMap { store.listed($0) })?.attributes.name
      ?? session.flatMap { nameToBe(of: $0) }
    let connection = client ?? session.flatMap { scenes.holder(of: $0) }
    entry.client = process ?? connection.flatMap { clients.client(of: $0) }
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
    entry.by = requester.flatMap { reference(to: $0) } ?? sender
    entry.detail = detail?.clipped(to: TraceEntry.detailBytes)
    traceBuffer.append(&entry, at: now)
    for observer in traceBuffer.observers {
      send(.notification(.trace(entry)), to: observer, about: session, topic: entry.topic)
    }
    effects.story.append(entry)
  }

  /// Who asked.
  func reference(to requester: Requester) -> ClientReference? {
    clients.client(of: requester.connection).map {
      ClientReference(name: $0.name.clipped(to: 100), pid: $0.pid)
    }
  }

  mutating func trace(_ message: TraceObserve, _ requester: Requester) {
    let after = message.after ?? 0
    guard after >= 0 else {
      return refuse(
        requester, BrokerError(.invalidParams, "after: expected the number of an entry"))
    }
    reply(requester, .empty, about: nil)
    // A connected observer already has the later entries.
    guard !traceBuffer.observers.contains(requester.connection) else { return }
    // As much as leaves room in what may wait for one connection.
    for entry in traceBuffer.entries(after: after, byteCount: limits.outboxBytes / 2) {
      send(
        .notification(.trace(entry)), to: requester.connection, about: entry.session,
        topic: entry.topic)
    }
    traceBuffer.observe(requester.connection)
  }

  mutating func observe(_ requester: Requester) {
    reply(requester, .empty, about: nil)
    changes.observe(requester.connection)
  }

  /// The summary of a session has changed. Observers get it once, when the round ends.
  mutating func noteChange(of session: SessionIdentifier) { changes.markChanged(session) }

  /// Announces the changes of sessions to the observers.
  mutating func announceChanges() {
    for identifier in changes.flush() { announceChange(of: identifier) }
  }

  /// Announces also changes that would wait for the disk, for a reply that must follow all changes.
  mutating func announceAllChanges() {
    for identifier in changes.flushAll() { announceChange(of: identifier) }
  }

  private mutating func announceChange(of identifier: SessionIdentifier) {
    let notification: BrokerNotification =
      store.listed(identifier).map { .sessionChanged(summary(of: $0)) }
      ?? .sessionDiscarded(identifier)
    for observer in changes.observers {
      send(.notification(notification), to: observer, about: identifier)
    }
    changes.announced(identifier, waitingFor: store.barrier(identifier))
  }

  /// Tells what the disk has room for, if that is another than before.
  mutating func announceRoom() {
    guard let (room, problem) = store.takeUnpublishedRoom() else { return }
    tell(.storage, reason: room.rawValue, detail: problem)
  }

  /// Sends the phase to every client, if it has changed.
  mutating func announcePhase() {
    if changes.update(ApplicationPhase(highest: scenes.highestState)) {
      notifyAll(.phaseChanged(phase))
    }
  }

  mutating func notifyAll(_ notification: BrokerNotification) {
    for connection in clients.initialized {
      send(.notification(notification), to: connection, about: nil)
    }
  }
}
