import SceneBroker

/// The invariants of the loop's parts and of the connections. The broker checks its own.
extension EventLoop {
  /// Each of these invariants that does not hold between two iterations, as a sentence.
  func checkInvariants() -> [String] {
    var flaws = journal.flaws + timers.flaws + connections.flaws
    if journal.submitted > broker.recordCount {
      flaws.append("the journal has more records than the broker")
    }
    let open = connections.identifiers.compactMap { connections[$0] }
    flaws += input.flaws(of: open) + output.flaws(of: open)
    for connection in open {
      flaws += connection.outbox.flaws.map { "the outbox of \(connection.identifier.number) \($0)" }
    }
    return flaws.sorted()
  }
}
