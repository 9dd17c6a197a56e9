import SceneModel

/// A problem with a session, or with the broker.
typealias SessionProblem = (SessionIdentifier?, String)

/// A rule that holds in every script.
protocol Invariant {
  /// Begins the run of a new broker.
  mutating func begin(_ run: RunHistory.BrokerRun)

  /// Checks one trace entry; returns the problem, if any.
  mutating func check(_ entry: TraceEntry) -> String?

  /// Checks the state at a settle point; returns the problems with their sessions.
  mutating func didSettle(at point: RunHistory.SettlePoint) -> [SessionProblem]

  /// Checks the final sessions; returns the problems with their sessions.
  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem]
}

extension Invariant {
  mutating func didSettle(at point: RunHistory.SettlePoint) -> [SessionProblem] { [] }

  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [SessionProblem] { [] }
}
