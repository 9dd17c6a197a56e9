package import SceneModel

/// Generates identifiers. Two generators with the same seed generate the same identifiers.
package struct IdentifierGenerator: Sendable {
  private enum State {
    case random(UInt64, UInt64, UInt64, UInt64)
    case counting(UInt64)
  }

  private var state: State

  /// A generator that the system seeds.
  package init() {
    var system = SystemRandomNumberGenerator()
    state = .random(system.next(), system.next(), system.next(), system.next() | 1)
  }

  package init(seed: UInt64) {
    var words = SplitMix(seed: seed)
    state = .random(words.next(), words.next(), words.next(), words.next() | 1)
  }

  /// A generator for tests. Its identifiers are the numbers that follow `number`.
  package init(countingAfter number: UInt64) { state = .counting(number) }

  package mutating func next() -> SessionIdentifier {
    if case .counting = state { return SessionIdentifier(high: 0, low: nextWord()) }
    return SessionIdentifier(random: nextWord(), nextWord())
  }

  /// The random words come from xoshiro256**.
  package mutating func nextWord() -> UInt64 {
    switch state {
    case .counting(let last):
      state = .counting(last + 1)
      return last + 1
    case .random(var a, var b, var c, var d):
      let result = Self.rotate(b &* 5, 7) &* 9
      let shifted = b << 17
      c ^= a
      d ^= b
      b ^= c
      a ^= d
      c ^= shifted
      d = Self.rotate(d, 45)
      state = .random(a, b, c, d)
      return result
    }
  }

  private static func rotate(_ word: UInt64, _ by: UInt64) -> UInt64 {
    word << by | word >> (64 - by)
  }
}
