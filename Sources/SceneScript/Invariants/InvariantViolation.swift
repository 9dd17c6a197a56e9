package import SceneModel

/// A violated invariant.
package struct InvariantViolation: Equatable, Sendable {
  /// The session and the problem, with control characters escaped.
  package var sentence: String
  /// The last events of the session, oldest first.
  package var rows: [Row] = []
  /// The line of the script that caused the violation, if known.
  var line: Script.Line?

  /// A trace entry, and its time in microseconds since the start of the trace.
  package struct Row: Equatable, Sendable {
    package var entry: TraceEntry
    package var time: Int64
  }

  package var lines: [String] {
    [sentence] + rows.map { "  \(TimeFormat.seconds($0.time))  \($0.entry.sentence)" }
  }
}
