import SceneModel

/// The trace.
extension Broker {
  /// Appends an entry to the trace and sends it to the observers. Call it after the record that the
  /// entry describes, so that the disk has the record first. `client` is the scene's unless another
  /// is given, and `fill` sets the other members.
  mutating func trace(
    _ event: TraceEvent, _ session: SessionIdentifier? = nil, client: ConnectionIdentifier? = nil,
    by requester: Requester? = nil, _ fill: (inout TraceEntry) -> Void = { _ in }
  ) {
    var entry = TraceEntry(event)
    entry.session = session
    entry.name = session.flatMap { name(of: $0) }
    let connection = client ?? session.flatMap { scenes[$0]?.holder }
    entry.client = connection.flatMap {
      event == .connected ? clients[$0]?.reference : clients[$0]?.shown
    }
    entry.by = requester.flatMap { reference(to: $0) }
    fill(&entry)
    if let detail = entry.detail { entry.detail = detail.clipped(to: TraceEntry.detailBytes) }
    traceBuffer.number(&entry, at: now)
    for observer in traceBuffer.observers.sorted() {
      send(.notification(.trace(entry)), to: observer, about: session, topic: entry.topic)
    }
    if logsFrequentEvents || entry.event.explains || entry.detail != nil {
      effects.trace.append(entry)
    }
    traceBuffer.append(&entry)
  }

  /// The client of a request.
  func reference(to requester: Requester) -> ClientReference? {
    clients[requester.connection]?.shown?.clipped(to: 100)
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
