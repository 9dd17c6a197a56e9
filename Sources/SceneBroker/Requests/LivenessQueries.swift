package import SceneModel

/// Liveness queries: is the process of a holder about to end?
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

  // MARK: - The poll

  /// The interval between two queries about previous holders.
  static let livenessPollInterval = Interval.milliseconds(500)

  /// A previous holder has no connection, so no event reports its end.
  mutating func startPoll() {
    guard deferred.beginPoll() else { return }
    effects.timers.append(.set(.livenessPoll, Self.livenessPollInterval))
  }

  mutating func pollHolders() {
    let awaited = deferred.endPoll(of: Array(clients.reservations.keys))
    let holders = Set(awaited.compactMap { clients.reservations[$0] })
    guard !holders.isEmpty else { return }
    let processes = holders.sorted { ($0.pid, $0.startTime) < ($1.pid, $1.startTime) }
    effects.livenessQueries.append(
      LivenessQuery(identifier: deferred.nextLivenessQuery(), processes: processes))
    startPoll()
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
}
