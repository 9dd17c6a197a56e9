/// Finds the alignment of expected lines and actual callbacks with the lowest cost.
struct TraceAlignment {
  /// The numbers are indices of lines of the block.
  private enum Element {
    case one(Int)
    case anything(Int)
    /// Matches in any order.
    case group(Range<Int>)
  }

  private let expected: [TracePattern]
  private let observed: [ObservedCallback]
  private let matches: TraceMatches
  private let elements: [Element]
  /// The lowest cost from an element and a callback to the end.
  private var costs: [[Int]]

  init(_ expected: [TracePattern], _ observed: [ObservedCallback]) {
    self.expected = expected
    self.observed = observed
    matches = TraceMatches(expected, observed)
    var elements: [Element] = []
    for (number, pattern) in expected.enumerated() {
      if pattern.kind == .anything {
        elements.append(.anything(number))
      } else if !pattern.isUnordered {
        elements.append(.one(number))
      } else if case .group(let patterns)? = elements.last {
        elements[elements.count - 1] = .group(patterns.lowerBound..<(number + 1))
      } else {
        elements.append(.group(number..<(number + 1)))
      }
    }
    self.elements = elements
    costs = Array(
      repeating: Array(repeating: 0, count: observed.count + 1), count: elements.count + 1)
  }

  /// A step consumes elements, callbacks, or both.
  private struct Step {
    enum Kind {
      /// A line and its callback, which can differ in a condition.
      case beside(TracePattern)
      case missing(TracePattern)
      case skipped(TracePattern)
      case group(Range<Int>)
      case unexpected
    }

    var kind: Kind
    var cost: Int
    var elements: Int
    var callbacks: Int
  }

  mutating func rows() -> [TraceComparison.Row] {
    // Backwards, because the cost of a step depends on the costs behind the step.
    for element in (0...elements.count).reversed() { fill(element) }
    var rows: [TraceComparison.Row] = []
    var (element, callback) = (0, 0)
    while let (step, _) = best(element, callback) {
      rows += self.rows(of: step, at: callback)
      element += step.elements
      callback += step.callbacks
    }
    return rows.mergingSkipped()
  }

  private mutating func fill(_ element: Int) {
    for callback in (0...observed.count).reversed() {
      if let (_, cost) = best(element, callback) { costs[element][callback] = cost }
    }
  }

  /// The step with the lowest total cost, and that cost; nil at the end.
  private func best(_ element: Int, _ callback: Int) -> (step: Step, cost: Int)? {
    var best: (step: Step, cost: Int)?
    for step in steps(element, callback) {
      let cost = step.cost + costs[element + step.elements][callback + step.callbacks]
      if cost < best?.cost ?? .max { best = (step, cost) }
    }
    return best
  }

  private func steps(_ element: Int, _ callback: Int) -> [Step] {
    let hasNext = callback < observed.count
    var steps: [Step] = []
    if element < elements.count {
      switch elements[element] {
      case .one(let number):
        let pattern = expected[number]
        if hasNext, matches.names(number, callback) {
          let cost = matches.matches(number, callback) ? 0 : TraceCost.other
          steps.append(Step(kind: .beside(pattern), cost: cost, elements: 1, callbacks: 1))
        }
        steps.append(
          Step(kind: .missing(pattern), cost: TraceCost.missing, elements: 1, callbacks: 0))
      case .anything(let number):
        let kind = Step.Kind.skipped(expected[number])
        steps.append(Step(kind: kind, cost: 0, elements: 1, callbacks: 0))
        if hasNext { steps.append(Step(kind: kind, cost: 0, elements: 0, callbacks: 1)) }
      case .group(let patterns):
        var pairs = UnorderedMatching(patterns, from: callback, matches)
        steps.append(Step(kind: .group(patterns), cost: pairs.cost, elements: 1, callbacks: 0))
        for count in 0..<min(patterns.count, observed.count - callback) {
          pairs.add()
          steps.append(
            Step(kind: .group(patterns), cost: pairs.cost, elements: 1, callbacks: count + 1))
        }
      }
    }
    if hasNext {
      steps.append(
        Step(kind: .unexpected, cost: TraceCost.unexpected, elements: 0, callbacks: 1))
    }
    return steps
  }

  private func rows(of step: Step, at callback: Int) -> [TraceComparison.Row] {
    switch step.kind {
    case .beside(let pattern):
      [step.cost == 0 ? .same(pattern) : .other(pattern, observed[callback])]
    case .missing(let pattern): [.missing(pattern)]
    case .skipped(let pattern): [.skipped(pattern)]
    case .group(let patterns): rows(of: patterns, callback..<(callback + step.callbacks))
    case .unexpected: [.unexpected(observed[callback])]
    }
  }

  private func rows(of patterns: Range<Int>, _ callbacks: Range<Int>) -> [TraceComparison.Row] {
    var pairs = UnorderedMatching(patterns, from: callbacks.lowerBound, matches)
    for _ in callbacks { pairs.add() }
    var rest = patterns.filter { !pairs.partners.contains($0) }
    var rows: [TraceComparison.Row] = []
    for (partner, callback) in zip(pairs.partners, callbacks) {
      if let partner {
        rows.append(.same(expected[partner]))
      } else if let other = rest.firstIndex(where: { matches.names($0, callback) }) {
        rows.append(.other(expected[rest.remove(at: other)], observed[callback]))
      } else {
        rows.append(.unexpected(observed[callback]))
      }
    }
    return rows + rest.map { .missing(expected[$0]) }
  }
}

extension [TraceComparison.Row] {
  /// Keeps one row for each `...`.
  fileprivate func mergingSkipped() -> Self {
    var rows: Self = []
    for row in self {
      if case .skipped = row, case .skipped? = rows.last { continue }
      rows.append(row)
    }
    return rows
  }
}
