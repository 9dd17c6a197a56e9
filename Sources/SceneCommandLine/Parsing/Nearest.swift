/// The candidate closest to a word; nil if none is close. A word of one or two letters is close
/// only to the words that it begins. `limit` is the highest distance of a close word; with a limit,
/// an abbreviation is not close.
package func nearest(
  to word: String, among candidates: [String], atMost limit: Int = .max
) -> String? {
  let word = Array(word.utf8)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let name = Array(candidate.utf8)
    // An abbreviation is close, independent of its length.
    let isAbbreviation = limit == .max && word.count >= 2 && name.starts(with: word)
    let isTheSame = word != name && word.lowercased == name.lowercased
    let distance =
      isTheSame ? 0 : isAbbreviation ? 1 : editDistance(word, name)
    let allowed = min(limit, max(1, min(word.count, name.count) / 3))
    guard distance <= allowed,
      distance == 0 || min(word.count, name.count) >= 3 || name.starts(with: word),
      distance < best?.distance ?? .max
    else { continue }
    best = (candidate, distance)
  }
  return best?.candidate
}

extension [UInt8] {
  /// Maps only ASCII letters.
  fileprivate var lowercased: [UInt8] {
    map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
  }
}

/// "; did you mean X?", or an empty text.
package func suggestion(for word: String, among candidates: [String]) -> String {
  nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
}

/// The Damerau–Levenshtein distance: insertions, removals, replacements and swaps of neighbors.
func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...other.count)
  for row in one.indices {
    var current = [row + 1]
    for column in other.indices {
      let isSame = one[row] == other[column]
      var cost = previous[column] + (isSame ? 0 : 1)
      cost = min(cost, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[other.count]
}
