import SceneBroker

/// The invariants of the journal, the timers, the connections and their outboxes. The broker checks
/// its own.
extension EventLoop {
  /// Each of these invariants that does not hold between two iterations, as a sentence.
  func checkInvariants() -> [String] {
    var flaws = journal.flaws + timers.flaws + connections.flaws
    if journal.submitted > broker.recordCount {
      flaws.append("the journal has more records than the broker")
    }
    for identifier in connections.identifiers {
      guard let connection = connections[identifier] else { continue }
      flaws += connection.outbox.flaws.map { "the outbox of \(identifier.number) \($0)" }
    }
    return flaws.sorted()
  }
}
