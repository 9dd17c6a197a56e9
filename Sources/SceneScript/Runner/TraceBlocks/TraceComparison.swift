import SceneJSON

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

  private let expected: [TracePattern]
  private let observed: [ObservedCallback]
  /// Whether a callback matches a line: by callback, then by line.
  private let matches: [[Bool]]
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
    self.expected = expected
    self.observed = observed
    matches = observed.map { observed in
      let document = JSONDocument()
      let isRead = (try? document.read(observed.json.bytes.span)) != nil
      return expected.map { isRead && $0.matches(observed.name, document.root) }
    }
    let elements = Self.elements(of: expected)
    // The fewest differences from an element and a callback to the end.
    var fewest = Array(
      repeating: Array(repeating: 0, count: observed.count + 1), count: elements.count + 1)
    func best(_ element: Int, _ callback: Int) -> Step? {
      steps(elements.dropFirst(element).first, callback).map { step in
        var step = step
        step.differences += fewest[element + step.elements][callback + step.callbacks]
        return step
      }.min { $0.differences < $1.differences }
    }
    for element in (0...elements.count).reversed() {
      for callback in (0...observed.count).reversed() {
        fewest[element][callback] = best(element, callback)?.differences ?? 0
      }
    }
    var (element, callback) = (0, 0)
    while let step = best(element, callback) {
      switch elements.dropFirst(element).first {
      case .anything(let line)?: if step.elements == 1 { rows.append(.skipped(expected[line])) }
      case .lines(let lines)? where step.elements == 1:
        rows += rows(of: lines, callback..<(callback + step.callbacks))
      default: rows.append(.unexpected(observed[callback]))
      }
      element += step.elements
      callback += step.callbacks
    }
  }

  /// The numbers are indices of lines.
  private enum Element {
    /// A `...`.
    case anything(Int)
    /// One line, or neighbors with `~`, which match in any order.
    case lines(Range<Int>)
  }

  private static func elements(of expected: [TracePattern]) -> [Element] {
    var elements: [Element] = []
    for (line, pattern) in expected.enumerated() {
      if pattern.kind == .anything {
        elements.append(.anything(line))
      } else if pattern.isUnordered, case .lines(let lines)? = elements.last,
        expected[lines.lowerBound].isUnordered
      {
        elements[elements.count - 1] = .lines(lines.lowerBound..<(line + 1))
      } else {
        elements.append(.lines(line..<(line + 1)))
      }
    }
    return elements
  }

  /// A step past elements, callbacks, or both.
  private struct Step {
    var elements: Int
    var callbacks: Int
    var differences = 0
  }

  /// A callback that differs only in a condition counts once, an unexpected callback twice, and a
  /// missing one three times. Otherwise a `...` would hide a callback that is there.
  private func steps(_ element: Element?, _ callback: Int) -> [Step] {
    let rest = observed.count - callback
    let unexpected = rest > 0 ? [Step(elements: 0, callbacks: 1, differences: 2)] : []
    switch element {
    case .anything?:
      return [Step(elements: 1, callbacks: 0)]
        + (rest > 0 ? [Step(elements: 0, callbacks: 1)] : [])
    case .lines(let lines)?:
      var pairs = UnorderedMatching(matches: matches, lines: lines, first: callback)
      var steps = [Step(elements: 1, callbacks: 0, differences: 3 * lines.count)]
      for count in 0..<min(lines.count, rest) {
        pairs.add()
        let (missing, others) = (lines.count - pairs.count, count + 1 - pairs.count)
        let isOther =
          lines.count == 1 && missing == 1
          && expected[lines.lowerBound].name == observed[callback].name
        steps.append(
          Step(
            elements: 1, callbacks: count + 1, differences: isOther ? 1 : 3 * missing + 2 * others))
      }
      return steps.reversed() + unexpected
    case nil: return unexpected
    }
  }

  private func rows(of lines: Range<Int>, _ callbacks: Range<Int>) -> [Row] {
    var pairs = UnorderedMatching(matches: matches, lines: lines, first: callbacks.lowerBound)
    for _ in callbacks { pairs.add() }
    var rest = lines.filter { !pairs.partners.contains($0) }
    var rows: [Row] = []
    for (partner, callback) in zip(pairs.partners, callbacks) {
      if let partner {
        rows.append(.same(expected[partner]))
      } else if let other = rest.firstIndex(where: {
        expected[$0].name == observed[callback].name
      }) {
        rows.append(.other(expected[rest.remove(at: other)], observed[callback]))
      } else {
        rows.append(.unexpected(observed[callback]))
      }
    }
    return rows + rest.map { .missing(expected[$0]) }
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
