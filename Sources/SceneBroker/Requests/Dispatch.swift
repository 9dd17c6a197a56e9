import SceneModel

/// Passes each request to the method that performs it, now or when a cause is fulfilled. The method
/// replies, or throws the refusal.
extension Broker {
  mutating func dispatch(
    _ request: ClientRequest, _ method: RequestMethod, _ requester: Requester
  ) {
    guard let client = clients.received(from: requester.connection) else { return }
    do throws(BrokerError) {
      guard client.isInitialized || method == .initialize else {
        throw BrokerError(.notInitialized, "send initialize before \(method)")
      }
      if let error = refusal(of: method, by: client.kind) { throw error }
      try perform(request, requester)
    } catch {
      refuse(requester, error)
    }
  }

  private mutating func perform(
    _ request: ClientRequest, _ requester: Requester
  ) throws(BrokerError) {
    switch request {
    case .initialize(let message): try initialize(message, attempt(by: requester))
    case .connect(let message): try connect(message, attempt(by: requester))
    case .disconnect(let message): try disconnect(message, requester)
    case .transition(let message): try transition(message, requester)
    case .update(let message): try update(message, requester)
    case .extend(let message): try extend(message, requester)
    case .beginAssertion(let message): try beginAssertion(message, requester)
    case .endAssertion(let message): try endAssertion(message, requester)
    case .signal(let message): try signal(message, requester)
    case .saveActivity(let message): try saveActivity(message, requester)
    case .setUserInfo(let message): try setUserInfo(message, requester)
    case .setName(let message): try setName(message, requester)
    case .list(let message): try list(message, requester)
    case .show(let message): try show(message, requester)
    case .resolve(let message): try resolve(message, requester)
    case .history(let message): try history(message, requester)
    case .restore(let message): try restoreActivity(message, requester)
    case .dataDirectory(let message): try requestDataDirectory(message, requester)
    case .observe: observe(requester)
    case .activate(let message):
      try adopt(message.environment, requester)
      try activate(message, attempt(by: requester))
    case .destroy(let message): try destroy(message, requester)
    case .refresh(let message): try refresh(message, attempt(by: requester))
    case .open(let message):
      try adopt(message.environment, requester)
      try open(message, attempt(by: requester))
    case .route(let message): try route(message, requester)
    case .status: status(requester)
    case .manifest: showManifest(requester)
    case .updateEnvironment(let message): try updateEnvironment(message, requester)
    case .reclaim(let message): try reclaim(message, requester)
    case .memoryWarning: warnOfMemory(requester)
    case .timeChange: announceTimeChange(requester)
    case .terminate:
      reply(requester, .empty, about: nil)
      terminate()
    case .post(let message): try post(message, requester)
    case .observeEvents(let message): try observe(message, requester)
    case .ceaseEvents(let message): try cease(message, requester)
    case .listTopics(let message): try listTopics(message, requester)
    case .trace(let message): try observeTrace(message, requester)
    case .ping: reply(requester, .empty, about: nil)
    case .describe:
      reply(requester, .described(ProtocolDescription.json(limits: limits)), about: nil)
    case .settle(let message): try settle(message, requester)
    case .reload: reload(requester)
    case .advanceClock(let message): try advanceClock(message, requester)
    case .fault(let message): try injectFault(message, requester)
    case .returnError(let message): throw error(for: message)
    }
  }

  private func refusal(of method: RequestMethod, by kind: ClientKind) -> BrokerError? {
    switch (method.permission, kind) {
    case (.anyone, _), (.controls, .control),
      (.changers, .scene), (.changers, .control), (.changers, .applicationDelegate):
      nil
    case (.changers, .observer):
      BrokerError(
        .notPermitted, "\(method) is for scenes and controls; this client only observes")
    case (.controls, .scene), (.controls, .observer), (.controls, .applicationDelegate):
      BrokerError(
        .notPermitted,
        "\(method) is for controls; this client is connected as \(kind.rawValue)")
    }
  }

  private mutating func attempt(by requester: Requester) -> Attempt {
    Attempt(requester: requester, identifier: identifiers.next())
  }

  /// The error that a test asked for.
  private func error(for message: ReturnError) -> BrokerError {
    guard let reason = ErrorReason.named(message.reason) else {
      return BrokerError(
        .invalidParams,
        "reason: there is no error \"\(message.reason.clipped(to: 100))\"; see broker/describe")
    }
    return BrokerError(reason, "\(reason.name), as requested")
  }

  // MARK: - Deferred requests

  mutating func deferRequest(
    _ request: DeferredRequest.Request, _ attempt: Attempt, until cause: DeferredRequest.Cause
  ) throws(BrokerError) {
    // The event loop does not count requests without an identifier, because they get no reply.
    guard deferred.count(of: attempt.requester.connection) < limits.requestsInFlight else {
      throw BrokerError(
        .tooMany, "\(limits.requestsInFlight) requests of this connection are already waiting")
    }
    deferred.add(request, attempt, until: cause)
  }

  mutating func retry(_ deferred: DeferredRequest) {
    do throws(BrokerError) {
      switch deferred.request {
      case .connect(let message): try connect(message, deferred.attempt)
      case .activate(let message): try activate(message, deferred.attempt)
      case .open(let message): try open(message, deferred.attempt)
      case .refresh(let message): try refresh(message, deferred.attempt)
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

  mutating func refuseDeferred() {
    let all = deferred.removeAll()
    cancelTimeouts(of: all)
    for request in all { refuse(request.requester, .shuttingDown) }
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
    guard let session = store.listed(identifier) else { throw BrokerError.noSession(identifier) }
    return session
  }

  /// A client of the kind scene can change the sessions that it holds, a control can change all.
  mutating func checkMayChange(
    _ identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) {
    guard store.isListed(identifier) else { throw BrokerError.noSession(identifier) }
    guard clients.kind(of: requester.connection) == .scene,
      scenes.holder(of: identifier) != requester.connection
    else { return }
    throw BrokerError(
      .sessionNotHeld, "\(label(of: identifier)) is not held by this client; connect to it first")
  }

  /// The name of a session for messages, or the beginning of its identifier.
  func label(of identifier: SessionIdentifier) -> String {
    let name = store.listed(identifier)?.attributes.name ?? pendingSessions[identifier]?.name
    return name?.clipped(to: 100) ?? identifier.short
  }
}
