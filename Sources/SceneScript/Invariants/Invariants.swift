import SceneCommandLine
import SceneModel

enum Invariants {
  private static let rowLimit = 8

  /// Checks all invariants; returns the violations in the order of the events.
  static func violations(in history: RunHistory) -> [InvariantViolation] {
    var rules: [any Invariant] = [
      StateTransitionInvariant(), SingleHolderInvariant(), DurabilityInvariant(),
      CrashLoopInvariant(history), ContentInvariant(history),
      DiscardInvariant(), DeliveryInvariant(history), LaunchInvariant(), DelegateInvariant(history),
    ]
    var violations: [InvariantViolation] = []
    var rowsBySession: [SessionIdentifier: [InvariantViolation.Row]] = [:]
    var clock: TraceClock?
    for run in history.runs {
      for index in rules.indices { rules[index].begin(run) }
      if let first = run.entries.first {
        clock = clock ?? TraceClock(first)
        clock?.begin(first)
      }
      var settlePoints = run.settlePoints[...]
      for (count, entry) in zip(1..., run.entries) {
        let row = InvariantViolation.Row(entry: entry, time: clock?.time(of: entry) ?? 0)
        if let session = entry.session { rowsBySession[session, default: []].append(row) }
        for index in rules.indices {
          guard let problem = rules[index].check(entry) else { continue }
          let rows = entry.session.flatMap { rowsBySession[$0] } ?? [row]
          violations.append(violation(entry.label, problem, rows))
        }
        while let point = settlePoints.first, point.entryCount <= count {
          settlePoints.removeFirst()
          for (session, problem) in rules.indices.flatMap({ rules[$0].didSettle(at: point) }) {
            let rows = session.flatMap { rowsBySession[$0] } ?? [row]
            violations.append(
              violation(session == nil ? nil : rows.last?.entry.label, problem, rows))
          }
        }
      }
    }
    guard let sessions = history.sessions else { return violations }
    for (session, problem) in rules.flatMap({ $0.checkEnd(sessions, history) }) {
      let rows = session.flatMap { rowsBySession[$0] } ?? []
      violations.append(violation(rows.last?.entry.label ?? session?.short, problem, rows))
    }
    return violations
  }

  private static func violation(
    _ label: String?, _ problem: String, _ rows: [InvariantViolation.Row]
  ) -> InvariantViolation {
    InvariantViolation(
      sentence: PlainText.escaped("\(label ?? TraceEntry.brokerLabel): \(problem)"),
      rows: Array(rows.suffix(rowLimit)))
  }
}

extension TraceEntry {
  /// Not escaped.
  fileprivate var label: String { name ?? session?.short ?? client?.label ?? Self.brokerLabel }

  fileprivate static let brokerLabel = "the broker"
}
