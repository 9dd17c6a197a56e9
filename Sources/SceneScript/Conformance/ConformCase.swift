/// A case of the conformance test.
package struct ConformCase: Sendable {
  package enum Demand: Equatable, Sendable {
    /// A client that fails the case violates the protocol.
    case must
    /// The behavior is recommended. A failure is reported, but the test passes.
    case may
  }

  package let name: String
  package let demand: Demand
  /// The expected behavior, as the rest of a sentence that begins "a client must".
  package let expectation: String
  let delivery: RecordingProxy.Delivery
  let run: @Sendable (ConformanceSession) -> () throws(StepFailure) -> Void

  private init(
    _ name: String, _ expectation: String,
    _ run: @escaping @Sendable (ConformanceSession) -> () throws(StepFailure) -> Void,
    _ demand: Demand = .must, receivedEvents delivery: RecordingProxy.Delivery = .unchanged
  ) {
    self.name = name
    self.demand = demand
    self.expectation = expectation
    self.delivery = delivery
    self.run = run
  }
}

extension ConformCase {
  /// All cases, in the order of the test.
  package static let table: [ConformCase] = [
    ConformCase(
      "hello", "send initialize first, with a client name and a protocol range that includes 1",
      ConformanceSession.hello),
    ConformCase(
      "connect", "answer willConnect, willEnterForeground and didBecomeActive",
      ConformanceSession.connect),
    ConformCase(
      "background", "answer willResignActive, didEnterBackground and stateRestorationActivity",
      ConformanceSession.background),
    ConformCase(
      "activity",
      "answer stateRestorationActivity with an activity or null, without one, or with an error",
      ConformanceSession.activity),
    ConformCase(
      "foreground", "answer willEnterForeground and didBecomeActive when it is activated",
      ConformanceSession.foreground),
    ConformCase(
      "interrupt",
      "answer willResignActive when it is interrupted, and didBecomeActive when it is resumed",
      ConformanceSession.interrupt),
    ConformCase(
      "reclaim", "answer didDisconnect, or exit, when its scene is reclaimed",
      ConformanceSession.reclaim),
    ConformCase(
      "again", "answer willConnect, even with an error, when its reclaimed scene is activated",
      ConformanceSession.again),
    ConformCase(
      "discard", "answer didDisconnect, or exit, when its session is discarded",
      ConformanceSession.discard),
    ConformCase(
      "killed", "connect again when it is started again after kill -9", ConformanceSession.killed),
    ConformCase(
      "same", "request its previous session when it is started again after kill -9",
      ConformanceSession.same, .may),
    ConformCase(
      "kept", "answer stateRestorationActivity with the restored or last saved activity",
      ConformanceSession.kept, .may),
    ConformCase(
      "lost", "reconnect to the next broker, or exit, after kill -9 of the broker",
      ConformanceSession.lost),
    ConformCase(
      "resume", "resume its scene without a callback after kill -9 of the broker",
      ConformanceSession.resume, .may),
    ConformCase(
      "shutdown", "answer all callbacks up to didDisconnect, or exit, when the broker shuts down",
      ConformanceSession.shutdown),
    ConformCase(
      "restore", "request its session again when the broker is started after a shutdown",
      ConformanceSession.restore, .may),
    ConformCase(
      "open", "answer openURLContexts, willContinueUserActivity and continueUserActivity",
      ConformanceSession.open),
    ConformCase(
      "refresh", "answer refresh and stay in the background", ConformanceSession.refresh),
    ConformCase(
      "pieces", "read frames that arrive in pieces", ConformanceSession.roundTrip,
      receivedEvents: .inPieces),
    ConformCase(
      "members", "ignore unknown members of a message and of its params",
      ConformanceSession.roundTrip, receivedEvents: .withUnknownMembers),
    ConformCase(
      "request", "answer an unknown request with the error -32601", ConformanceSession.request),
    ConformCase(
      "notification", "ignore an unknown notification", ConformanceSession.notification),
  ]
}
