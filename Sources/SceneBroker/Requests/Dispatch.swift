package import SceneJSON
package import SceneModel

/// Passes each request to the method that performs it, now or when a cause is fulfilled. The method
/// replies, or throws the refusal.
extension Broker {
  /// Handles a request: its parameters are valid or refused. `identify` finds out the process of
  /// the client, if the request concerns the process and the broker does not know it.
  package mutating func handle(
    _ name: JSONValue, _ params: JSONValue?, _ identifier: RequestIdentifier?,
    from connection: ConnectionIdentifier, at now: Instant, into effects: inout Effects,
    identify: () -> ClientProcess? = { nil }
  ) {
    let requester = Requester(connection: connection, request: identifier)
    begin(at: now, &effects)
    do throws(BrokerError) {
      guard let method = RequestMethod.named(name) else {
        throw BrokerError(
          .methodNotFound,
          "there is no method \(name.string?.clipped(to: 100) ?? ""); broker/describe lists the "
            + "methods")
      }
      try method.perform(&self, params, requester, identify)
    } catch {
      refuse(requester, error)
    }
    end(&effects)
  }

  /// Whether the client can send the request. Returns false if its input is ignored.
  mutating func admits(
    _ message: any RequestMessage.Type, from requester: Requester
  ) throws(BrokerError) -> Bool {
    guard let client = clients[requester.connection], client.received() else { return false }
    noteInput(of: client)
    guard client.isInitialized || message == Initialize.self else {
      throw BrokerError(.notInitialized, "send initialize before \(message.method)")
    }
    switch (message.permission, client.kind) {
    case (.anyone, _), (.controls, .control),
      (.changers, .scene), (.changers, .control), (.changers, .applicationDelegate):
      return true
    case (.changers, .observer):
      throw BrokerError(
        .notPermitted, "\(message.method) is for scenes and controls; this client only observes")
    case (.controls, .scene), (.controls, .observer), (.controls, .applicationDelegate):
      throw BrokerError(
        .notPermitted,
        "\(message.method) is for controls; this client is connected as \(client.kind.rawValue)")
    }
  }

  mutating func attempt(by requester: Requester) -> Attempt {
    Attempt(requester: requester, identifier: identifiers.next())
  }

  // MARK: - Deferred requests

  mutating func deferRequest(
    _ request: DeferredRequest.Request, _ attempt: Attempt, until cause: DeferredRequest.Cause
  ) throws(BrokerError) {
    try checkMayWait(deferred.count(of: attempt.requester.connection))
    deferred.add(request, attempt, until: cause)
  }

  mutating func deferUntilResumption(
    _ requester: Requester, _ perform: @escaping ResumptionQueue.Action
  ) throws(BrokerError) {
    try checkMayWait(resumptionQueue.count(of: requester.connection))
    resumptionQueue.add(requester, perform)
    if resumptionQueue.isFull { endResumption() }
  }

  /// The event loop does not count requests without an identifier, because they get no reply.
  private func checkMayWait(_ count: Int) throws(BrokerError) {
    guard count < limits.requestsInFlight else {
      throw BrokerError(
        .tooMany, "\(limits.requestsInFlight) requests of this connection are already waiting")
    }
  }

  mutating func retry(_ deferred: DeferredRequest) {
    do throws(BrokerError) {
      switch deferred.request {
      case .connect(let message): try connect(message, deferred.attempt)
      case .activate(let message): try activate(message, deferred.attempt)
      case .open(let message): try open(message, deferred.attempt)
      case .refresh(let message): try refresh(message, deferred.attempt)
      case .transition(let message): try transition(message, deferred.attempt)
      case .initialize(let message): try initialize(message, deferred.attempt)
      }
    } catch {
      refuse(deferred.attempt.requester, error)
    }
  }

  /// Removes the requests of a closed connection, except those that outlive the connection.
  mutating func dropRequests(of connection: ConnectionIdentifier) {
    cancelTimeouts(of: deferred.removeRequests(of: connection, keeping: limits.requestsInFlight))
  }

  mutating func refuseDeferred(_ error: BrokerError) {
    let all = deferred.removeAll()
    cancelTimeouts(of: all)
    for request in all { refuse(request.requester, error) }
  }

  private mutating func cancelTimeouts(of requests: [DeferredRequest]) {
    for query in requests.compactMap(\.pendingTimeout) {
      effects.timers.append(.cancel(.livenessQuery(query)))
    }
  }

  // MARK: - Sessions of a request

  /// The session, if it exists and the requester can change it.
  mutating func sessionToChange(
    _ identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) -> StoredSession {
    try checkMayChange(identifier, requester)
    guard let session = store.listed(identifier) else { throw absence(of: identifier) }
    return session
  }

  /// A client of the kind scene can change the sessions that it holds, a control can change all
  /// that are present.
  mutating func checkMayChange(
    _ identifier: SessionIdentifier, _ requester: Requester, evenIfAway: Bool = false
  ) throws(BrokerError) {
    guard let session = store.listed(identifier), session.isPresent || evenIfAway else {
      throw absence(of: identifier)
    }
    guard clients[requester.connection]?.kind == .scene,
      scenes[identifier]?.holder != requester.connection
    else { return }
    throw BrokerError(
      .sessionNotHeld, "\(label(of: identifier)) is not held by this client; connect to it first")
  }

  /// The name of a session for messages, or the beginning of its identifier.
  func label(of identifier: SessionIdentifier) -> String {
    name(of: identifier)?.clipped(to: 100) ?? identifier.short
  }

  /// The name of a session that exists or is pending.
  func name(of identifier: SessionIdentifier) -> String? {
    store.listed(identifier)?.attributes.name ?? pendingSessions[identifier]?.name
  }
}
