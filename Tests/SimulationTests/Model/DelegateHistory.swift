import SceneModel

/// The callbacks that application delegates got from all brokers.
struct DelegateHistory {
  private var asked: Set<SessionIdentifier> = []
  /// Sessions that can be reported twice.
  var ignored: Set<SessionIdentifier> = []
  /// The sessions in each report.
  private var reports: [ReportIdentifier: [SessionIdentifier]] = [:]
  private var reported: [SessionIdentifier: ReportIdentifier] = [:]

  /// Returns a complaint if the broker asks for the configuration of one session twice. The
  /// question can leave the broker late, when the session already exists.
  mutating func ask(about session: SessionIdentifier) -> String? {
    asked.insert(session).inserted || ignored.contains(session)
      ? nil : "the broker asks for a configuration twice"
  }

  /// Returns a complaint if the broker reports a session under two identifiers, or repeats a report
  /// with other sessions.
  mutating func tell(_ message: DidDiscardSceneSessions) -> String? {
    let sessions = message.sceneSessions.map(\.persistentIdentifier)
    if let before = reports.updateValue(sessions, forKey: message.report), before != sessions {
      return "report \(message.report) had \(before), and now has \(sessions)"
    }
    for session in sessions {
      if let other = reported.updateValue(message.report, forKey: session),
        other != message.report, !ignored.contains(session)
      {
        return "\(session.short) is in the reports \(other) and \(message.report)"
      }
    }
    return nil
  }
}
