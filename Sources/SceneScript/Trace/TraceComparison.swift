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

/// Finds the cheapest way to put what was expected beside what happened.
private struct TraceAlignment {
  private enum Element {
    case one(TracePattern)
    case anything(TracePattern)
    /// In any order.
    case group([TracePattern])
  }

  /// What is left out is worse than what is too much, for which there is `...`; and a callback that
  /// is not as it was to be is still that one.
  private enum Cost {
    static let missing = 3
    static let unexpected = 2
    static let other = 1
  }

  private let elements: [Element]
  private let told: [ToldCallback]
  /// The cheapest costs from an element and a callback on.
  private var costs: [[Int]]

  init(_ expected: [TracePattern], _ told: [ToldCallback]) {
    var elements: [Element] = []
    for pattern in expected {
      if pattern.kind == .anything {
        elements.append(.anything(pattern))
      } else if !pattern.isLoose {
        elements.append(.one(pattern))
      } else if case .group(let patterns)? = elements.last {
        elements[elements.count - 1] = .group(patterns + [pattern])
      } else {
        elements.append(.group([pattern]))
      }
    }
    self.elements = elements
    self.told = told
    costs = Array(
      repeating: Array(repeating: 0, count: told.count + 1), count: elements.count + 1)
  }

  /// A step to the right, or downwards, or both.
  private struct Step {
    var cost: Int
    var elements: Int
    var callbacks: Int
    var rows: [TraceComparison.Row]
  }

  mutating func rows() -> [TraceComparison.Row] {
    // From the end, so that what a step leads to is known.
    for element in (0...elements.count).reversed() { fill(element) }
    var rows: [TraceComparison.Row] = []
    var (element, callback) = (0, 0)
    while let (step, _) = best(element, callback) {
      rows += step.rows
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
    let next = callback < told.count ? told[callback] : nil
    var steps: [Step] = []
    if element < elements.count {
      switch elements[element] {
      case .one(let pattern):
        if let next { steps += pairing(pattern, next) }
        steps.append(Step(cost: Cost.missing, elements: 1, callbacks: 0, rows: [.missing(pattern)]))
      case .anything(let pattern):
        steps.append(Step(cost: 0, elements: 1, callbacks: 0, rows: [.skipped(pattern)]))
        if next != nil {
          steps.append(Step(cost: 0, elements: 0, callbacks: 1, rows: [.skipped(pattern)]))
        }
      case .group(let patterns):
        let most = min(patterns.count, told.count - callback)
        steps += (0...most).map { group(patterns, told[callback..<(callback + $0)]) }
      }
    }
    if let next {
      steps.append(
        Step(cost: Cost.unexpected, elements: 0, callbacks: 1, rows: [.unexpected(next)]))
    }
    return steps
  }

  private func pairing(_ pattern: TracePattern, _ next: ToldCallback) -> [Step] {
    if pattern.matches(next) {
      return [Step(cost: 0, elements: 1, callbacks: 1, rows: [.same(pattern)])]
    }
    guard pattern.names(next) else { return [] }
    return [Step(cost: Cost.other, elements: 1, callbacks: 1, rows: [.other(pattern, next)])]
  }

  /// Patterns that match in any order, each with another of the next callbacks.
  private func group(_ patterns: [TracePattern], _ next: ArraySlice<ToldCallback>) -> Step {
    let partners = Pairs(patterns, Array(next)).partners
    var rest = Set(patterns.indices).subtracting(partners.compactMap { $0 })
    var step = Step(cost: 0, elements: 1, callbacks: next.count, rows: [])
    for (partner, callback) in zip(partners, next) {
      if let partner {
        step.rows.append(.same(patterns[partner]))
      } else if let other = rest.sorted().first(where: { patterns[$0].names(callback) }) {
        rest.remove(other)
        step.rows.append(.other(patterns[other], callback))
        step.cost += Cost.other
      } else {
        step.rows.append(.unexpected(callback))
        step.cost += Cost.unexpected
      }
    }
    step.rows += rest.sorted().map { .missing(patterns[$0]) }
    step.cost += Cost.missing * rest.count
    return step
  }
}

/// As many pairs of a pattern and a callback that match as there can be.
private struct Pairs {
  /// For each callback the pattern it goes with.
  private(set) var partners: [Int?]
  private let matches: [[Bool]]

  init(_ patterns: [TracePattern], _ callbacks: [ToldCallback]) {
    partners = Array(repeating: nil, count: callbacks.count)
    matches = patterns.map { pattern in callbacks.map { pattern.matches($0) } }
    for pattern in patterns.indices {
      var tried: Set<Int> = []
      _ = pair(pattern, &tried)
    }
  }

  /// Finds a partner, for which others may have to take another.
  private mutating func pair(_ pattern: Int, _ tried: inout Set<Int>) -> Bool {
    for callback in partners.indices where matches[pattern][callback] {
      guard tried.insert(callback).inserted else { continue }
      if let other = partners[callback], !pair(other, &tried) { continue }
      partners[callback] = pattern
      return true
    }
    return false
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
