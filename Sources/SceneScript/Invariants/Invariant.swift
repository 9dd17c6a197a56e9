import SceneModel

/// A rule that holds in every script.
protocol Invariant {
  /// Begins the run of a new broker.
  mutating func begin(_ run: RunHistory.BrokerRun)

  /// Checks one trace entry; returns the problem, if any.
  mutating func check(_ entry: TraceEntry) -> String?

  /// Checks the state at a settle point; returns the problems with their sessions.
  mutating func didSettle(at point: RunHistory.SettlePoint) -> [(SessionIdentifier?, String)]

  /// Checks the final sessions; returns the problems with their sessions.
  func checkEnd(_ sessions: [SessionSummary], _ history: RunHistory) -> [(
    SessionIdentifier, String
  )]
}

extension Invariant {
  mutating func didSettle(at point: RunHistory.SettlePoint) -> [(SessionIdentifier?, String)] { [] }

  func checkEnd(
    _ sessions: [SessionSummary], _ history: RunHistory
  ) -> [(SessionIdentifier, String)] { [] }
}
