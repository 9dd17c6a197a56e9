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
    var seed = seed
    state = (Self.mix(&seed), Self.mix(&seed), Self.mix(&seed), Self.mix(&seed) | 1)
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

  /// splitmix64, which spreads a seed over the words of the state.
  private static func mix(_ seed: inout UInt64) -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var word = seed
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
