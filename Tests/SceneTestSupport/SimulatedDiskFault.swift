package import SceneJournal

/// Something that goes wrong on a ``SimulatedDisk``.
package struct SimulatedFault: Sendable {
  package enum Effect: Sendable {
    /// The world stops in the middle of this call: all later ones fail until the disk is told
    /// whether the power was cut or only the process killed.
    case stop
    /// The call fails with an input/output error, perhaps after having done a part.
    case inputOutputError
  }

  package var effect: Effect
  /// The calls it happens to, by their number; the first call is 1.
  package var calls: ClosedRange<Int>
  /// Only calls of this kind are meant; nil means any.
  package var only: StorageError.Call?

  /// Something that happens once.
  package static func once(
    _ effect: Effect, at call: Int, only: StorageError.Call? = nil
  ) -> SimulatedFault {
    SimulatedFault(effect: effect, calls: call...call, only: only)
  }

  /// Something that happens from then on.
  package static func forever(
    _ effect: Effect, from call: Int, only: StorageError.Call? = nil
  ) -> SimulatedFault {
    SimulatedFault(effect: effect, calls: call...Int.max, only: only)
  }
}

/// Random numbers that a seed decides (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
