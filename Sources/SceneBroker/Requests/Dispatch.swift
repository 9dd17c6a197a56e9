import SceneModel

/// Passes each request to the method that performs it, now or when a cause is fulfilled.
extension Broker {
  mutating func dispatch(
    _ request: ClientRequest, _ method: RequestMethod, _ requester: Requester
  ) {
    guard let client = clients.received(from: requester.connection) else { return }
    if case .initialize(let message) = request {
      return initialize(message, attempt(by: requester))
    }
    guard client.isInitialized else {
      return refuse(
        requester, BrokerError(.notInitialized, "send initialize before \(method)"))
    }
    if let error = refusal(of: method, by: client.kind) { return refuse(requester, error) }
    switch request {
    case .initialize: preconditionFailure("answered above")
    case .connect(let message): connect(message, attempt(by: requester))
    case .disconnect(let message): disconnect(message, requester)
    case .transition(let message): transition(message, requester)
    case .update(let message): update(message, requester)
    case .extend(let message): extend(message, requester)
    case .beginAssertion(let message): beginAssertion(message, requester)
    case .endAssertion(let message): endAssertion(message, requester)
    case .signal(let message): signal(message, requester)
    case .saveActivity(let message): saveActivity(message, requester)
    case .setUserInfo(let message): setUserInfo(message, requester)
    case .setName(let message): setName(message, requester)
    case .list(let message): list(message, requester)
    case .show(let message): show(message, requester)
    case .resolve(let message): resolve(message, requester)
    case .history(let message): history(message, requester)
    case .restore(let message): restoreActivity(message, requester)
    case .dataDirectory(let message): requestDataDirectory(message, requester)
    case .observe: observe(requester)
    case .activate(let message): activate(message, attempt(by: requester))
    case .destroy(let message): destroy(message, requester)
    case .refresh(let message): refresh(message, attempt(by: requester))
    case .open(let message): open(message, attempt(by: requester))
    case .route(let message): route(message, requester)
    case .status: status(requester)
    case .manifest: showManifest(requester)
    case .reclaim(let message): reclaim(message, requester)
    case .memoryWarning: warnOfMemory(requester)
    case .timeChange: announceTimeChange(requester)
    case .terminate:
      reply(requester, .empty, about: nil)
      terminate()
    case .post(let message): post(message, requester)
    case .observeEvents(let message): observe(message, requester)
    case .ceaseEvents(let message): cease(message, requester)
    case .listTopics(let message): listTopics(message, requester)
    case .trace(let message): observeTrace(message, requester)
    case .ping: reply(requester, .empty, about: nil)
    case .describe:
      reply(requester, .described(ProtocolDescription.json(limits: limits)), about: nil)
    case .settle(let message): settle(message, requester)
    case .reload: reload(requester)
    case .advanceClock(let message): advanceClock(message, requester)
    case .fault(let message): injectFault(message, requester)
    case .returnError(let message): returnError(message, requester)
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

  private mutating func returnError(_ message: ReturnError, _ requester: Requester) {
    guard let reason = ErrorReason.named(message.reason) else {
      return refuse(
        requester,
        BrokerError(
          .invalidParams,
          "reason: there is no error \"\(message.reason.clipped(to: 100))\"; see broker/describe"))
    }
    refuse(requester, BrokerError(reason, "\(reason.name), as requested"))
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
    switch deferred.request {
    case .connect(let message): connect(message, deferred.attempt)
    case .activate(let message): activate(message, deferred.attempt)
    case .open(let message): open(message, deferred.attempt)
    case .refresh(let message): refresh(message, deferred.attempt)
    case .initialize(let message): initialize(message, deferred.attempt)
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
  func sessionToChange(
    _ identifier: SessionIdentifier, _ requester: Requester
  ) throws(BrokerError) -> StoredSession {
    try checkMayChange(identifier, requester)
    guard let session = store.listed(identifier) else { throw BrokerError.noSession(identifier) }
    return session
  }

  /// A client of the kind scene can change the sessions that it holds, a control can change all.
  func checkMayChange(
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
