import JSON

/// Which lines of a block are about which callbacks, and which of these are as they say. Each callback
/// is read once.
struct TraceMatches {
  /// The names, each by its number.
  private var names: [String: Int] = [:]
  private(set) var patternNames: [Int] = []
  private(set) var toldNames: [Int] = []
  /// For each callback, by the line of the block.
  private let matches: [[Bool]]

  init(_ expected: [TracePattern], _ told: [ToldCallback]) {
    matches = told.map { told in
      let document = JSONDocument()
      let isRead = (try? document.read(told.json.bytes.span)) != nil
      return expected.map { isRead && $0.matches(told.name, document.root) }
    }
    patternNames = expected.map { number(of: $0.name ?? "") }
    toldNames = told.map { number(of: $0.name) }
  }

  private mutating func number(of name: String) -> Int {
    if let number = names[name] { return number }
    names[name] = names.count
    return names.count - 1
  }

  var nameCount: Int { names.count }

  func matches(_ pattern: Int, _ callback: Int) -> Bool { matches[callback][pattern] }

  func names(_ pattern: Int, _ callback: Int) -> Bool {
    patternNames[pattern] == toldNames[callback]
  }
}

/// Lines that match in any order, and callbacks that come one after the other: as many pairs as there
/// can be.
struct LoosePairs {
  private let matches: TraceMatches
  private let patterns: Range<Int>
  /// The callback that comes first.
  private let first: Int
  /// For each callback the line that it goes with.
  private(set) var partners: [Int?] = []
  /// For each line the callback that goes with it.
  private var callbacks: [Int?]
  /// Of each name, what has no partner.
  private var leftPatterns: [Int]
  private var leftCallbacks: [Int]
  /// What it costs that not all have one.
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

  /// Takes the next callback. One that finds no partner now finds none later either: no lines come
  /// that it could go with.
  mutating func add() {
    let callback = first + partners.count
    partners.append(nil)
    let name = matches.toldNames[callback]
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

  /// Finds a partner, for which others may have to take another.
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
