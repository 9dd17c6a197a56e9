import SceneModel

/// What application delegates were asked and told, whichever broker did.
struct DelegateHistory {
  private var asked: Set<SessionIdentifier> = []
  /// What each report told of.
  private var reports: [ReportIdentifier: [SessionIdentifier]] = [:]
  private var reported: [SessionIdentifier: ReportIdentifier] = [:]

  /// Once for each session that is made; what is wrong otherwise. One that overran its time is heard
  /// when the session may be there already.
  mutating func ask(about session: SessionIdentifier) -> String? {
    asked.insert(session).inserted ? nil : "a configuration is asked for twice"
  }

  /// Each discard is told under one identifier, which tells the same each time.
  mutating func tell(_ message: DidDiscardSceneSessions) -> String? {
    let sessions = message.sceneSessions.map(\.persistentIdentifier)
    if let before = reports.updateValue(sessions, forKey: message.report), before != sessions {
      return "report \(message.report) told of \(before), and now of \(sessions)"
    }
    for session in sessions {
      if let other = reported.updateValue(message.report, forKey: session),
        other != message.report
      {
        return "\(session.short) is told of in \(other) and in \(message.report)"
      }
    }
    return nil
  }
}
