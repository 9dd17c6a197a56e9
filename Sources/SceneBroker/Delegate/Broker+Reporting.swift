import SceneModel

/// What was discarded is told to the application delegate until it has answered: at least once, and
/// always under the same identifier.
extension Broker {
  /// Whether what is discarded now is kept until the delegate was told of it.
  private var keepsDiscards: Bool {
    switch manifest.applicationDelegate {
    case .builtIn: false
    case .optional: store.state.hasHadDelegate || delegate.connection != nil
    case .required: true
    }
  }

  /// From the first delegate on, discards wait for one.
  mutating func rememberDelegate() {
    guard delegate.connection != nil, manifest.applicationDelegate != .builtIn,
      !store.state.hasHadDelegate,
      store.admission(of: .little) == nil
    else { return }
    record(.delegateKnown)
  }

  /// What is recorded of one request: its sessions in parts that each fit a frame.
  func discards(
    of sessions: [SessionIdentifier], request: SessionIdentifier
  ) -> [Discard] {
    guard keepsDiscards else { return sessions.map { Discard(session: $0) } }
    return Discard.reported(
      sessions.compactMap { store[$0] }, request: request, limits: limits)
  }

  /// What the delegate is to be told next.
  var nextReport: DidDiscardSceneSessions? {
    guard manifest.applicationDelegate != .builtIn, delegate.connection != nil else { return nil }
    return store.nextReport(besides: delegate.toldReports)
  }

  /// Drops the oldest reports while what waits for an optional delegate exceeds its limit, so that an
  /// application without a delegate does not fill its storage. The reports of `newest`, which has
  /// discarded `count` sessions, stay.
  mutating func dropOldReports(keeping newest: SessionIdentifier, count: Int) {
    guard manifest.applicationDelegate == .optional, delegate.connection == nil else { return }
    var room = count * Discard.mostDropsOfOne
    while room > 0, !store.isExhausted, let report = store.reportBeyondLimit,
      report.request != newest
    {
      room -= 1
      record(.discardReported(DiscardReported(report: report)))
      tell(
        .failed, delegateCallback: .didDiscardSceneSessions, reason: "dropped",
        detail: "report \(report) is dropped: no application delegate is connected, and discarded "
          + "sessions exceed discardBytes; start a delegate, or start scened with "
          + "--application-delegate builtIn")
    }
  }

  /// The delegate knows. If the disk cannot take that, it is told once more when it launches next.
  mutating func acknowledge(_ report: ReportIdentifier) {
    guard store.hasReport(report), !store.isExhausted else { return }
    record(.discardReported(DiscardReported(report: report)))
  }
}
