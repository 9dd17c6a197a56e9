import SceneModel

/// The trace.
extension Broker {
  /// Appends an entry to the trace and sends it to the observers. Call it after the record that the
  /// entry describes, so that the disk has the record first. `gone` is a discarded session.
  mutating func trace(
    _ event: TraceEvent, _ session: SessionIdentifier? = nil, gone: StoredSession? = nil,
    client: ConnectionIdentifier? = nil, process: ClientReference? = nil,
    callback: CallbackKind? = nil,
    reason: String? = nil, state: ActivationState? = nil, generation: Int64? = nil,
    hold: Int64? = nil, withheld: WithholdingReason? = nil, options: ConnectionOptions? = nil,
    event posted: TopicEvent? = nil, topic: String? = nil, position: EventPosition? = nil,
    observers: Int64? = nil,
    by requester: Requester? = nil, sender: ClientReference? = nil, detail: String? = nil
  ) {
    let name =
      if let known = gone ?? session.flatMap({ store.listed($0) }) {
        known.attributes.name
      } else {
        session.flatMap { pendingSessions[$0]?.name }
      }
    let connection = client ?? session.flatMap { scenes.holder(of: $0) }
    var entry = TraceEntry(
      event, session: session, name: name,
      client: process ?? connection.flatMap { clients.client(of: $0) },
      callback: callback?.rawValue, reason: reason, state: state,
      generation: generation, hold: hold, by: requester.flatMap { reference(to: $0) } ?? sender)
    // Most entries have none of these members.
    if let withheld { entry.withheld = withheld }
    if let options, options != .none { entry.show(options) }
    if let posted { (entry.topic, entry.kind) = (posted.topic, posted.kind) }
    if let topic { entry.topic = topic }
    if let position { entry.position = position }
    if let observers { entry.observers = observers }
    if let detail { entry.detail = detail.clipped(to: TraceEntry.detailBytes) }
    traceBuffer.number(&entry, at: now)
    for observer in traceBuffer.observers {
      send(.notification(.trace(entry)), to: observer, about: session, topic: entry.topic)
    }
    if logsFrequentEvents || entry.event.explains || entry.hasDetail {
      effects.trace.append(entry)
    }
    traceBuffer.append(consume entry)
  }

  /// The client of a request.
  func reference(to requester: Requester) -> ClientReference? {
    clients.client(of: requester.connection).map {
      ClientReference(name: $0.name.clipped(to: 100), pid: $0.pid)
    }
  }

  mutating func observeTrace(_ message: TraceObserve, _ requester: Requester) throws(BrokerError) {
    let after = message.after ?? 0
    guard after >= 0 else {
      throw BrokerError(.invalidParams, "after: expected the number of an entry")
    }
    reply(requester, .empty, about: nil)
    // A connected observer already has the later entries.
    guard !traceBuffer.observers.contains(requester.connection) else { return }
    // Half of the outbox stays free for other messages.
    for entry in traceBuffer.entries(after: after, byteCount: limits.outboxBytes / 2) {
      send(
        .notification(.trace(entry)), to: requester.connection, about: entry.session,
        topic: entry.topic)
    }
    traceBuffer.observe(requester.connection, deliveries: message.deliveries)
  }
}
