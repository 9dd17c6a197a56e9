import SceneJSON
import SceneModel

/// A scene is restored with the activity that a client saved as that generation.
///
/// Compares the activities that clients saved with the activities that clients received.
/// ``DurabilityInvariant`` checks the generation, ``CrashLoopInvariant`` whether it is withheld.
struct ContentInvariant: Invariant {
  private let contents: RunHistory.Contents
  private var generations: [SessionIdentifier: Int64] = [:]

  init(_ history: RunHistory) { contents = history.contents }

  mutating func begin(_ run: RunHistory.BrokerRun) {}

  mutating func check(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    switch entry.event {
    case .saved, .connected:
      // A withheld activity is not restored until the next save.
      generations[session] = entry.withheld == nil ? entry.generation : 0
    case .callback:
      // A killed client may not have printed the callback.
      guard let hold = entry.hold,
        let restored = contents.restored[RunHistory.SessionHold(session: session, hold: hold)]
      else { return nil }
      let generation = restored.startsEmpty ? 0 : generations[session]
      return problem(
        with: restored.activity, of: session, generation: generation,
        "the session was restored with")
    default: break
    }
    return nil
  }

  private func problem(
    with found: RawJSON, of session: SessionIdentifier, generation: Int64?, _ beginning: String
  ) -> String? {
    guard let generation else { return nil }
    let known = generation == 0 ? .null : contents.saved[session]?[generation]
    guard let known, !known.isSameValue(as: found) else { return nil }
    let expectation =
      generation == 0
      ? "expected no activity"
      : "expected generation \(generation), \(known)"
    return "\(beginning) the activity \(found); \(expectation)"
  }

  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem] {
    // The final activity comes from the broker's store.
    sessions.compactMap { session in
      guard let kept = contents.kept[session.session],
        let problem = problem(
          with: kept, of: session.session, generation: session.generation, "the session finally has"
        )
      else { return nil }
      return (session.session, problem)
    }
  }
}
