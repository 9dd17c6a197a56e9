package import SceneModel

/// Fresh identifiers, from a generator that was seeded once: the same seed gives the same
/// identifiers.
package struct IdentifierSource {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Seeded by the system.
  package init() {
    var system = SystemRandomNumberGenerator()
    state = (system.next(), system.next(), system.next(), system.next() | 1)
  }

  package init(seed: UInt64) {
    var words = SplitMix(seed: seed)
    state = (words.next(), words.next(), words.next(), words.next() | 1)
  }

  package mutating func next() -> SessionIdentifier {
    SessionIdentifier(random: nextWord(), nextWord())
  }

  /// xoshiro256**.
  package mutating func nextWord() -> UInt64 {
    let result = Self.rotate(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotate(state.3, 45)
    return result
  }

  private static func rotate(_ word: UInt64, _ by: UInt64) -> UInt64 {
    word << by | word >> (64 - by)
  }
}
