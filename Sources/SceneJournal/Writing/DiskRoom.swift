/// The state of the free space.
package enum DiskRoom: Equatable, Sendable {
  case ok
  /// The next log cannot be reserved: growing requests must be rejected.
  case full
  /// The free space is just enough for the reserved batches.
  case exhausted
}
