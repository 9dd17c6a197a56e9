package import SceneJournal

/// A fault of a ``SimulatedDisk``.
package struct SimulatedFault: Sendable {
  package enum Effect: String, Sendable {
    /// The disk stops in the middle of this call. All later calls fail until the test calls
    /// `cutPower` or `killProcess`.
    case stop
    /// The call fails with an input/output error, perhaps after it did a part of its work.
    case inputOutputError
    /// The same, with the error of a full disk.
    case noSpace
  }

  package var effect: Effect
  /// The numbers of the calls that fail; the first call is 1. With `only`, calls of other kinds do
  /// not count.
  package var calls: ClosedRange<Int>
  /// The kind of the calls that fail; nil for any kind.
  package var only: StorageFailure.Call?

  /// A fault that occurs once.
  package static func once(
    _ effect: Effect, at call: Int, only: StorageFailure.Call? = nil
  ) -> SimulatedFault {
    SimulatedFault(effect: effect, calls: call...call, only: only)
  }

  /// A fault of every call from a number on.
  package static func forever(
    _ effect: Effect, from call: Int, only: StorageFailure.Call? = nil
  ) -> SimulatedFault {
    SimulatedFault(effect: effect, calls: call...Int.max, only: only)
  }
}

/// Random numbers from a seed (SplitMix64).
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
