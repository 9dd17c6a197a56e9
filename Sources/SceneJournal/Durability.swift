/// The guarantee of an acknowledgment.
package enum Durability: String, Sendable, CaseIterable {
  /// The records are synced and survive a power loss.
  case disk
  /// The records are written and survive the end of the process.
  case os
  /// No guarantee; there are no files.
  case none
}
