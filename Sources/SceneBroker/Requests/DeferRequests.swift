package import SceneModel

/// Requests that the broker cannot decide yet.
///
/// A killed process exists for a moment before its connection closes. So the broker asks the event
/// loop whether a holder is about to end before it refuses a request because of that holder. If the
/// holder is about to end, the request waits for that.
extension Broker {
  /// Far longer than the end of a process takes. After this time the holder counts as alive.
  package static let exitTimeout = Interval.seconds(5)

  /// Defers the request until the event loop says which of the processes are about to end.
  mutating func queryLiveness(
    of processes: [ClientProcess], before request: DeferredRequest.Request, _ attempt: Attempt
  ) throws(BrokerError) {
    let query = deferred.nextLivenessQuery()
    var attempt = attempt
    attempt.queried += processes
    try deferRequest(request, attempt, until: .answer(query))
    effects.livenessQueries.append(LivenessQuery(identifier: query, processes: processes))
  }

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

  // MARK: - Processes that are about to end

  /// The interval between two queries about previous holders.
  static let watch = Interval.milliseconds(500)

  /// A previous holder has no connection, so no event reports its end.
  mutating func watchHolders() {
    if deferred.beginPoll() { effects.timers.append(.set(.watch, Self.watch)) }
  }

  mutating func pollReservedHolders() {
    let awaited = deferred.endPoll(of: clients.reservedSessions())
    let holders = Set(awaited.compactMap(clients.reservation(of:)))
    guard !holders.isEmpty else { return }
    let processes = holders.sorted { ($0.pid, $0.startTime) < ($1.pid, $1.startTime) }
    effects.livenessQueries.append(
      LivenessQuery(identifier: deferred.nextLivenessQuery(), processes: processes))
    watchHolders()
  }

  mutating func livenessQueried(_ query: LivenessQueryIdentifier, ending: [ClientProcess]) {
    for process in ending { release(reservedFor: process) }
    let connections = clients.connections(of: ending)
    guard !connections.isEmpty else { return deferred.fulfill(.livenessQuery(query)) }
    guard deferred.count(.livenessQuery(query)) > 0 else { return }
    deferred.waitForEnd(of: connections, insteadOf: query)
    effects.timers.append(.set(.livenessQuery(query), Self.exitTimeout))
  }

  /// The holder has not ended in time: the broker decides the request as if the holder were alive.
  mutating func stopWaiting(for query: LivenessQueryIdentifier) {
    deferred.fulfill(.livenessQuery(query))
  }

  // MARK: - Removal

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
}
