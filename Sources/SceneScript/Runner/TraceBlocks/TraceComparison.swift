/// The comparison of a `trace` block with the actual callbacks, with the fewest differences.
struct TraceComparison {
  enum Row: Equatable {
    case same(TracePattern)
    /// The callback came, but a condition does not hold.
    case other(TracePattern, ObservedCallback)
    case missing(TracePattern)
    case unexpected(ObservedCallback)
    /// A `...`, which matches any callbacks.
    case skipped(TracePattern)
  }

  private(set) var rows: [Row] = []

  /// Whether there is no difference.
  var agrees: Bool {
    rows.allSatisfy { row in
      switch row {
      case .same, .skipped: true
      case .other, .missing, .unexpected: false
      }
    }
  }

  init(_ expected: [TracePattern], _ observed: [ObservedCallback]) {
    var alignment = TraceAlignment(expected, observed)
    rows = alignment.rows()
  }
}

extension TraceComparison {
  /// The report: `-` marks an expected line, `+` an actual callback.
  var difference: [String] {
    rows.flatMap { row in
      switch row {
      case .same(let pattern): ["    \(pattern.text)"]
      case .other(let pattern, let observed):
        ["  - \(pattern.text)", "  + \(pattern.line(for: observed))"]
      case .missing(let pattern): ["  - \(pattern.text)"]
      case .unexpected(let observed): ["  + \(observed.line())"]
      case .skipped: ["    ..."]
      }
    }
  }

  /// The rows of the rewritten block.
  var accepted: [BlockRewrite.Row] {
    rows.compactMap { row in
      switch row {
      case .same(let pattern), .skipped(let pattern):
        BlockRewrite.Row(pattern.text, insteadOf: pattern.line)
      case .other(let pattern, let observed):
        BlockRewrite.Row(pattern.line(for: observed), insteadOf: pattern.line)
      case .missing: nil
      case .unexpected(let observed): BlockRewrite.Row(observed.line())
      }
    }
  }
}
