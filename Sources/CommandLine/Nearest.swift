/// The candidate that resembles a word most; nil if none is close.
package func nearest(to word: String, among candidates: [String]) -> String? {
  let word = Array(word.utf8)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let name = Array(candidate.utf8)
    // An abbreviation is close however much is missing.
    let isTheSame = word != name && word.lowercased == name.lowercased
    let distance =
      isTheSame ? 0 : word.count >= 2 && name.starts(with: word) ? 1 : editDistance(word, name)
    let allowed = max(1, min(word.count, name.count) / 3)
    guard distance <= allowed, distance < best?.distance ?? .max else { continue }
    best = (candidate, distance)
  }
  return best?.candidate
}

extension [UInt8] {
  /// As letters of ASCII.
  fileprivate var lowercased: [UInt8] {
    map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
  }
}

/// "; did you mean X?", or nothing.
package func suggestion(for word: String, among candidates: [String]) -> String {
  nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
}

/// How many letters to insert, remove, replace or swap with their neighbour.
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
