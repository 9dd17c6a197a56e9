import JSON
import SceneModel

/// A scene comes back with what its client saved as that generation, byte for byte or written
/// otherwise; with nothing where nothing was saved.
///
/// What clients typed and were told is saved is compared with what clients were handed. Which
/// generation that is to be, and whether it is withheld, ``SavingRule`` and ``WithholdingRule`` look
/// at.
struct ContentRule: StandingRule {
  private let told: StagedStory.Contents
  private var generations: [SessionIdentifier: Int64] = [:]

  init(_ story: StagedStory) { told = story.contents }

  mutating func begin(_ life: StagedStory.Life) {}

  mutating func take(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    switch entry.event {
    case .saved, .connected:
      // What is withheld is as if it had never been saved, until something is.
      generations[session] = entry.withheld == nil ? entry.generation : 0
    case .callback:
      // One that was killed may not have passed it on.
      guard let hold = entry.hold,
        let handed = told.handed[StagedStory.Handover(session, hold: hold)]
      else { return nil }
      let generation = handed.beginsAfresh ? 0 : generations[session]
      return problem(
        with: handed.activity, of: session, generation: generation, "it came back with")
    default: break
    }
    return nil
  }

  private func problem(
    with found: RawJSON, of session: SessionIdentifier, generation: Int64?, _ beginning: String
  ) -> String? {
    guard let generation else { return nil }
    let known = generation == 0 ? .null : told.saved[session]?[generation]
    guard let known, !known.isSameValue(as: found) else { return nil }
    let expectation =
      generation == 0
      ? "there is nothing for it to come back with"
      : "saved as generation \(generation) was \(known)"
    return "\(beginning) \(found); \(expectation)"
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    // In the end it is looked at where it is kept.
    sessions.compactMap { session in
      guard let kept = told.kept[session.session],
        let problem = problem(
          with: kept, of: session.session, generation: session.generation, "in the end it has")
      else { return nil }
      return (session.session, problem)
    }
  }
}
