import SceneModel

/// An application delegate is asked once for each session that is made, and told of each discard under
/// one identifier, of nothing else; by what delegates have heard.
struct DelegateRule: StandingRule {
  private var discarded: Set<SessionIdentifier> = []

  mutating func begin(_ life: StagedStory.Life) {}

  mutating func take(_ entry: TraceEntry) -> String? {
    if entry.event == .discarded, let session = entry.session { discarded.insert(session) }
    return nil
  }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] {
    let heard = story.contents.delegates.sorted { $0.key < $1.key }.flatMap(\.value)
    var asked: Set<SessionIdentifier> = []
    var reports: [String: Set<SessionIdentifier>] = [:]
    var reported: [SessionIdentifier: String] = [:]
    var problems: [(SessionIdentifier, String)] = []
    for hearing in heard {
      switch hearing {
      case .question(let session):
        guard !asked.insert(session).inserted else { continue }
        problems.append((session, "a delegate was asked twice what it is made from"))
      case .report(let report, let sessions):
        let before = reports.updateValue(Set(sessions), forKey: report)
        for session in sessions {
          if let before, !before.contains(session) {
            problems.append((session, "report \(report) told of it, and before of others"))
          }
          if let other = reported.updateValue(report, forKey: session), other != report {
            problems.append((session, "it was reported as \(other) and as \(report)"))
          }
          if !discarded.contains(session), !story.untoldDiscards.contains(session) {
            problems.append((session, "it was reported as discarded, which it was not"))
          }
        }
      }
    }
    return problems
  }
}
