import JSON
import SceneModel

/// A scene comes back with what its client saved as that generation, byte for byte or written
/// otherwise; with nothing where nothing was saved.
///
/// It compares what clients typed and were told is saved with what clients were handed, so it does
/// not take the broker's word for either.
struct ContentRule: StandingRule {
  private let told: StagedStory.Contents
  private var generations: [SessionIdentifier: Int64] = [:]
  /// How often a process was given a scene of a session.
  private var counts: [Int64: [SessionIdentifier: Int]] = [:]

  init(_ story: StagedStory) { told = story.contents }

  mutating func begin(_ life: StagedStory.Life) {}

  mutating func take(_ entry: TraceEntry) -> String? {
    guard let session = entry.session else { return nil }
    switch entry.event {
    case .saved, .connected:
      // What is withheld is as if it had never been saved, until something is.
      generations[session] = entry.withheld == nil ? entry.generation : 0
    case .callback where entry.callback == CallbackKind.willConnect.rawValue:
      guard let pid = entry.client?.pid else { return nil }
      let place = counts[pid]?[session] ?? 0
      counts[pid, default: [:]][session] = place + 1
      // One that was killed may not have passed it on.
      guard let returned = told.returned[pid]?[session], returned.indices.contains(place) else {
        return nil
      }
      return problem(with: returned[place], of: session, "it came back with")
    default: break
    }
    return nil
  }

  private func problem(
    with found: RawJSON, of session: SessionIdentifier, _ beginning: String
  ) -> String? {
    guard let generation = generations[session] else { return nil }
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
    var rule = self
    return sessions.compactMap { session in
      // In the end it is looked at where it is kept.
      rule.generations[session.session] = session.generation
      return told.kept[session.session]
        .flatMap { rule.problem(with: $0, of: session.session, "in the end it has") }
        .map { (session.session, $0) }
    }
  }
}

extension RawJSON {
  fileprivate func isSameValue(as other: RawJSON) -> Bool {
    let (one, two) = (JSONDocument(), JSONDocument())
    guard (try? one.read(bytes.span)) != nil, (try? two.read(other.bytes.span)) != nil else {
      return self == other
    }
    return one.root.isSameValue(as: two.root)
  }
}
