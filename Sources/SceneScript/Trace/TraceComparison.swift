/// What was expected of a trace beside what happened: the fewest differences there are.
struct TraceComparison {
  enum Row: Equatable {
    case same(TracePattern)
    /// The callback came, but is not as it was to be.
    case other(TracePattern, ToldCallback)
    case missing(TracePattern)
    case unexpected(ToldCallback)
    /// What `...` stands for.
    case skipped(TracePattern)
  }

  private(set) var rows: [Row] = []

  /// Whether it is exactly what was expected.
  var agrees: Bool {
    rows.allSatisfy { row in
      switch row {
      case .same, .skipped: true
      case .other, .missing, .unexpected: false
      }
    }
  }

  init(_ expected: [TracePattern], _ told: [ToldCallback]) {
    var alignment = TraceAlignment(expected, told)
    rows = alignment.rows()
  }
}

extension TraceComparison {
  /// A line for each row: `-` was expected, `+` happened.
  var difference: [String] {
    rows.flatMap { row in
      switch row {
      case .same(let pattern): ["    \(pattern.text)"]
      case .other(let pattern, let told):
        ["  - \(pattern.text)", "  + \(pattern.line(for: told))"]
      case .missing(let pattern): ["  - \(pattern.text)"]
      case .unexpected(let told): ["  + \(told.line())"]
      case .skipped: ["    ..."]
      }
    }
  }

  /// What the block would have to say.
  var accepted: [BlockRewrite.Row] {
    rows.compactMap { row in
      switch row {
      case .same(let pattern), .skipped(let pattern):
        BlockRewrite.Row(pattern.text, insteadOf: pattern.line)
      case .other(let pattern, let told):
        BlockRewrite.Row(pattern.line(for: told), insteadOf: pattern.line)
      case .missing: nil
      case .unexpected(let told): BlockRewrite.Row(told.line())
      }
    }
  }
}

/// What is left out is worse than what is too much, for which there is `...`; and a callback that is
/// not as it was to be is still that one.
enum TraceCost {
  static let missing = 3
  static let unexpected = 2
  static let other = 1
}

/// Finds the cheapest way to put what was expected beside what happened.
private struct TraceAlignment {
  /// By the number of a line of the block.
  private enum Element {
    case one(Int)
    case anything(Int)
    /// In any order.
    case group(Range<Int>)
  }

  private let expected: [TracePattern]
  private let told: [ToldCallback]
  private let matches: TraceMatches
  private let elements: [Element]
  /// The cheapest costs from an element and a callback on.
  private var costs: [[Int]]

  init(_ expected: [TracePattern], _ told: [ToldCallback]) {
    self.expected = expected
    self.told = told
    matches = TraceMatches(expected, told)
    var elements: [Element] = []
    for (number, pattern) in expected.enumerated() {
      if pattern.kind == .anything {
        elements.append(.anything(number))
      } else if !pattern.isLoose {
        elements.append(.one(number))
      } else if case .group(let patterns)? = elements.last {
        elements[elements.count - 1] = .group(patterns.lowerBound..<(number + 1))
      } else {
        elements.append(.group(number..<(number + 1)))
      }
    }
    self.elements = elements
    costs = Array(
      repeating: Array(repeating: 0, count: told.count + 1), count: elements.count + 1)
  }

  /// A step to the right, or downwards, or both.
  private struct Step {
    enum Kind {
      /// The line is about the callback.
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
    // From the end, so that what a step leads to is known.
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
    for callback in (0...told.count).reversed() {
      if let (_, cost) = best(element, callback) { costs[element][callback] = cost }
    }
  }

  /// The step that leads to the lowest cost, and that cost; nil at the end of both.
  private func best(_ element: Int, _ callback: Int) -> (step: Step, cost: Int)? {
    var best: (step: Step, cost: Int)?
    for step in steps(element, callback) {
      let cost = step.cost + costs[element + step.elements][callback + step.callbacks]
      if cost < best?.cost ?? .max { best = (step, cost) }
    }
    return best
  }

  private func steps(_ element: Int, _ callback: Int) -> [Step] {
    let hasNext = callback < told.count
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
        var pairs = LoosePairs(patterns, from: callback, matches)
        steps.append(Step(kind: .group(patterns), cost: pairs.cost, elements: 1, callbacks: 0))
        for count in 0..<min(patterns.count, told.count - callback) {
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
      [step.cost == 0 ? .same(pattern) : .other(pattern, told[callback])]
    case .missing(let pattern): [.missing(pattern)]
    case .skipped(let pattern): [.skipped(pattern)]
    case .group(let patterns): rows(of: patterns, callback..<(callback + step.callbacks))
    case .unexpected: [.unexpected(told[callback])]
    }
  }

  private func rows(of patterns: Range<Int>, _ callbacks: Range<Int>) -> [TraceComparison.Row] {
    var pairs = LoosePairs(patterns, from: callbacks.lowerBound, matches)
    for _ in callbacks { pairs.add() }
    var rest = patterns.filter { !pairs.partners.contains($0) }
    var rows: [TraceComparison.Row] = []
    for (partner, callback) in zip(pairs.partners, callbacks) {
      if let partner {
        rows.append(.same(expected[partner]))
      } else if let other = rest.firstIndex(where: { matches.names($0, callback) }) {
        rows.append(.other(expected[rest.remove(at: other)], told[callback]))
      } else {
        rows.append(.unexpected(told[callback]))
      }
    }
    return rows + rest.map { .missing(expected[$0]) }
  }
}

extension [TraceComparison.Row] {
  /// One row for each `...`, however much came there.
  fileprivate func mergingSkipped() -> Self {
    var rows: Self = []
    for row in self {
      if case .skipped = row, case .skipped? = rows.last { continue }
      rows.append(row)
    }
    return rows
  }
}
