/// A maximum matching between lines that match in any order (`~`) and consecutive callbacks.
struct UnorderedMatching {
  /// By callback, then by line.
  let matches: [[Bool]]
  let lines: Range<Int>
  /// The index of the first callback.
  let first: Int
  /// The line of each callback.
  private(set) var partners: [Int?] = []
  /// The callback of each line with one.
  private(set) var callbacks: [Int: Int] = [:]

  /// The number of pairs.
  var count: Int { callbacks.count }

  /// Adds the next callback. A callback that finds no line now finds none later, because the lines
  /// are fixed.
  mutating func add() {
    partners.append(nil)
    var tried: Set<Int> = []
    _ = pair(first + partners.count - 1, &tried)
  }

  /// Finds an augmenting path: other callbacks can change their line.
  private mutating func pair(_ callback: Int, _ tried: inout Set<Int>) -> Bool {
    for line in lines where matches[callback][line] {
      guard tried.insert(line).inserted else { continue }
      if let other = callbacks[line], !pair(other, &tried) { continue }
      callbacks[line] = callback
      partners[callback - first] = line
      return true
    }
    return false
  }
}
