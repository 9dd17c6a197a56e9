/// A maximum matching between lines that match in any order (`~`) and consecutive callbacks.
struct UnorderedMatching {
  private let matches: TraceMatches
  private let patterns: Range<Int>
  /// The index of the first callback.
  private let first: Int
  /// The line of each callback.
  private(set) var partners: [Int?] = []
  /// The callback of each line.
  private var callbacks: [Int?]
  /// The numbers of unmatched lines and callbacks, by name.
  private var leftPatterns: [Int]
  private var leftCallbacks: [Int]
  /// The cost of the unmatched lines and callbacks.
  private(set) var cost: Int

  init(_ patterns: Range<Int>, from first: Int, _ matches: TraceMatches) {
    self.matches = matches
    self.patterns = patterns
    self.first = first
    callbacks = Array(repeating: nil, count: patterns.count)
    leftPatterns = Array(repeating: 0, count: matches.nameCount)
    leftCallbacks = leftPatterns
    for pattern in patterns { leftPatterns[matches.patternNames[pattern]] += 1 }
    cost = TraceCost.missing * patterns.count
  }

  /// Adds the next callback. A callback that finds no line now finds none later, because the lines
  /// are fixed.
  mutating func add() {
    let callback = first + partners.count
    partners.append(nil)
    let name = matches.observedNames[callback]
    cost -= cost(of: name)
    var tried: Set<Int> = []
    if pair(callback, &tried) { leftPatterns[name] -= 1 } else { leftCallbacks[name] += 1 }
    cost += cost(of: name)
  }

  private func cost(of name: Int) -> Int {
    let (patterns, callbacks) = (leftPatterns[name], leftCallbacks[name])
    let others = min(patterns, callbacks)
    return TraceCost.other * others + TraceCost.missing * (patterns - others)
      + TraceCost.unexpected * (callbacks - others)
  }

  /// Finds an augmenting path: other callbacks can change their line.
  private mutating func pair(_ callback: Int, _ tried: inout Set<Int>) -> Bool {
    for pattern in patterns where matches.matches(pattern, callback) {
      guard tried.insert(pattern).inserted else { continue }
      if let other = callbacks[pattern - patterns.lowerBound], !pair(other, &tried) { continue }
      callbacks[pattern - patterns.lowerBound] = callback
      partners[callback - first] = pattern
      return true
    }
    return false
  }
}
