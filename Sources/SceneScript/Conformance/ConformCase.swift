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
  let run: @Sendable (ConformanceChecks) -> () throws(StepFailure) -> Void

  private init(
    _ name: String, _ demand: Demand, _ expectation: String, _ delivery: RecordingProxy.Delivery,
    _ run: @escaping @Sendable (ConformanceChecks) -> () throws(StepFailure) -> Void
  ) {
    self.name = name
    self.demand = demand
    self.expectation = expectation
    self.delivery = delivery
    self.run = run
  }

  private static func must(
    _ name: String, _ expectation: String,
    _ run: @escaping @Sendable (ConformanceChecks) -> () throws(StepFailure) -> Void,
    receivedEvents delivery: RecordingProxy.Delivery = .unchanged
  ) -> ConformCase {
    ConformCase(name, .must, expectation, delivery, run)
  }

  private static func may(
    _ name: String, _ expectation: String,
    _ run: @escaping @Sendable (ConformanceChecks) -> () throws(StepFailure) -> Void
  ) -> ConformCase {
    ConformCase(name, .may, expectation, .unchanged, run)
  }
}

extension ConformCase {
  /// All cases, in the order of the test.
  package static let table: [ConformCase] = [
    must(
      "hello", "send initialize first, with a client name and a protocol range that includes 1",
      ConformanceChecks.hello),
    must(
      "connect", "answer willConnect, willEnterForeground and didBecomeActive",
      ConformanceChecks.connect),
    must(
      "background", "answer willResignActive, didEnterBackground and stateRestorationActivity",
      ConformanceChecks.background),
    must(
      "activity",
      "answer stateRestorationActivity with an activity or null, without one, or with an error",
      ConformanceChecks.activity),
    must(
      "foreground", "answer willEnterForeground and didBecomeActive when it is activated",
      ConformanceChecks.foreground),
    must(
      "interrupt",
      "answer willResignActive when it is interrupted, and didBecomeActive when it is resumed",
      ConformanceChecks.interrupt),
    must(
      "reclaim", "answer didDisconnect, or exit, when its scene is reclaimed",
      ConformanceChecks.reclaim),
    must(
      "again", "answer willConnect, even with an error, when its reclaimed scene is activated",
      ConformanceChecks.again),
    must(
      "discard", "answer didDisconnect, or exit, when its session is discarded",
      ConformanceChecks.discard),
    must(
      "killed", "connect again when it is started again after kill -9", ConformanceChecks.killed),
    may(
      "same", "request its previous session when it is started again after kill -9",
      ConformanceChecks.same),
    may(
      "kept", "answer stateRestorationActivity with the restored or last saved activity",
      ConformanceChecks.kept),
    must(
      "lost", "reconnect to the next broker, or exit, after kill -9 of the broker",
      ConformanceChecks.lost),
    may(
      "resume", "resume its scene without a callback after kill -9 of the broker",
      ConformanceChecks.resume),
    must(
      "shutdown", "answer all callbacks up to didDisconnect, or exit, when the broker shuts down",
      ConformanceChecks.shutdown),
    may(
      "restore", "request its session again when the broker is started after a shutdown",
      ConformanceChecks.restore),
    must(
      "open", "answer openURLContexts, willContinueUserActivity and continueUserActivity",
      ConformanceChecks.open),
    must("refresh", "answer refresh and stay in the background", ConformanceChecks.refresh),
    must(
      "pieces", "read frames that arrive in pieces", ConformanceChecks.roundTrip,
      receivedEvents: .inPieces),
    must(
      "members", "ignore unknown members of a message and of its params",
      ConformanceChecks.roundTrip, receivedEvents: .withUnknownMembers),
    must(
      "request", "answer an unknown request with the error -32601", ConformanceChecks.request),
    must(
      "notification", "ignore an unknown notification", ConformanceChecks.notification),
  ]
}
