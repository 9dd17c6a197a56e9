/// Something that a client of the protocol is tried for.
package struct ConformCase: Sendable {
  package enum Demand: Equatable, Sendable {
    /// A client that does otherwise does not speak the protocol.
    case must
    /// What a good client does; one that does otherwise is told.
    case may
  }

  package let name: String
  package let demand: Demand
  /// What it must or may do, in a phrase.
  package let expectation: String
  let manner: Relay.Manner
  let play: @Sendable (Audition) -> () throws(Objection) -> Void

  private init(
    _ name: String, _ demand: Demand, _ expectation: String, _ manner: Relay.Manner,
    _ play: @escaping @Sendable (Audition) -> () throws(Objection) -> Void
  ) {
    self.name = name
    self.demand = demand
    self.expectation = expectation
    self.manner = manner
    self.play = play
  }

  private static func must(
    _ name: String, _ expectation: String,
    _ play: @escaping @Sendable (Audition) -> () throws(Objection) -> Void,
    heard manner: Relay.Manner = .asItComes
  ) -> ConformCase {
    ConformCase(name, .must, expectation, manner, play)
  }

  private static func may(
    _ name: String, _ expectation: String,
    _ play: @escaping @Sendable (Audition) -> () throws(Objection) -> Void
  ) -> ConformCase {
    ConformCase(name, .may, expectation, .asItComes, play)
  }
}

extension ConformCase {
  /// All there are, in the order in which they are tried.
  package static let table: [ConformCase] = [
    must(
      "hello", "say initialize first, with its name and protocols that include 1", Audition.hello),
    must(
      "connect", "answer willConnect, willEnterForeground and didBecomeActive", Audition.connect),
    must(
      "background", "answer willResignActive, didEnterBackground and stateRestorationActivity",
      Audition.background),
    must(
      "activity", "answer stateRestorationActivity with an activity, null, nothing or an error",
      Audition.activity),
    must(
      "foreground", "come up from the background: willEnterForeground, didBecomeActive",
      Audition.foreground),
    must(
      "interrupt", "answer willResignActive, and didBecomeActive when it is over",
      Audition.interrupt),
    must("reclaim", "answer didDisconnect when its scene is reclaimed, or end", Audition.reclaim),
    must(
      "again", "take a reclaimed scene again with willConnect, or say with an error that it cannot",
      Audition.again),
    must("discard", "answer didDisconnect when its session is discarded, or end", Audition.discard),
    must("killed", "begin again after kill -9", Audition.killed),
    may("same", "ask for the scene it had when it begins again", Audition.same),
    may(
      "kept", "say what it was given, or has saved since, when asked for its activity",
      Audition.kept),
    must(
      "lost", "come back to the next broker when its own was killed, or end", Audition.lost),
    may("resume", "resume then: hold its scene as before, without a callback", Audition.resume),
    must(
      "shutdown", "go down the line and answer didDisconnect when the broker ends, or end",
      Audition.shutdown),
    may("restore", "ask for its session again when the broker is back", Audition.restore),
    must(
      "open", "answer what it is handed: openURLContexts, and an activity that is to be continued",
      Audition.open),
    must("refresh", "answer refresh where the scene is, in the background", Audition.refresh),
    must("pieces", "understand frames that come in pieces", Audition.roundTrip, heard: .inPieces),
    must(
      "members", "ignore members that it does not know, also beside id and method",
      Audition.roundTrip, heard: .fromTheFuture),
    must(
      "request", "answer a request that it does not know with the error -32601", Audition.request),
    must(
      "notification", "ignore a notification that it does not know", Audition.notification),
  ]
}
