/// Inputs of a corpus with random changes. A seed has the same input as long as the corpus stays.
struct ChangedInputs {
  private let corpus: [[UInt8]]

  init(of corpus: [[UInt8]]) { self.corpus = corpus }

  /// An input with at most four changes.
  func input(seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 1...Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = Int.random(in: start...min(start + 8, bytes.count), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.removeSubrange(start...)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
      case 3: bytes.insert(.random(in: 0...255, using: &random), at: start)
      case 4: for place in start..<end { bytes[place] = .random(in: 0...255, using: &random) }
      default:
        let other = corpus.randomElement(using: &random) ?? []
        let part = other.dropFirst(.random(in: 0...other.count, using: &random)).prefix(64)
        bytes.insert(contentsOf: part, at: start)
      }
    }
    return bytes
  }
}

/// SplitMix64: the same seed gives the same numbers.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
