import CommandLine
import JSON
import SceneControl
import SceneModel

extension Errand {
  /// What the app switcher shows: the sessions that were used last, each with its title and the last
  /// snapshot of it.
  func switcher() throws(ProgramError) -> ExitCode {
    let (sessions, now) = try ask { broker throws(ControlError) in
      let sessions = try broker.sessions(until: patience()).sorted(by: SessionSummary.precedes)
      return (sessions, try broker.request(ApplicationStatus(), until: patience()).now)
    }
    let shown = sessions.prefix(invocation.integer("limit") ?? Self.sessionsInSwitcher)
    var isFirst = true
    for summary in shown {
      // One that was discarded meanwhile is not there to be shown.
      let found = try ask { broker throws(ControlError) in
        try broker.find(summary.session, until: patience())
      }
      guard let session = found else { continue }
      if printsJSON {
        console.print(session.json)
      } else {
        if !isFirst { console.print("") }
        console.print(card(of: session.details, at: now))
      }
      isFirst = false
    }
    if shown.count < sessions.count, !printsJSON {
      let rest = sessions.count - shown.count
      console.print("\n… and \(rest) more; --limit \(sessions.count) shows them")
    }
    return .success
  }

  private static let sessionsInSwitcher = 20
  private static let linesOfSnapshot = 8

  /// For example `packing "Packing list", background, 2s ago`, and the snapshot below.
  private func card(of session: SessionDetails, at now: Int64) -> String {
    let summary = session.summary
    var heading = summary.label
    if let title = summary.title { heading += " \"\(PlainText.escaped(title))\"" }
    if let subtitle = session.sceneSession.subtitle {
      heading += " (\(PlainText.escaped(subtitle)))"
    }
    heading += ", \(summary.state.rawValue), \(Age.text(from: summary.lastUsed, to: now)) ago"
    guard let snapshot = session.snapshot else { return heading }
    let lines = snapshot.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.count > Self.linesOfSnapshot ? ["  …"] : []
    return
      ([heading] + lines.prefix(Self.linesOfSnapshot).map { "  " + PlainText.escaped(String($0)) }
      + rest).joined(separator: "\n")
  }
}

extension SessionSummary {
  /// The order of a list for people: what was used last comes first.
  static func precedes(_ one: SessionSummary, _ other: SessionSummary) -> Bool {
    (other.lastUsed, one.session) < (one.lastUsed, other.session)
  }
}
