/// Values that the broker only reports in its status.
package struct RuntimeInfo: Equatable, Sendable {
  package var durability = "disk"
  /// The manifest's file, or `built-in`.
  package var manifestSource = "built-in"
  package var clock = ClockKind.real
  /// Whether a test may inject faults.
  package var allowsFaults = false

  package init() {}
}

/// The clock of an application.
package enum ClockKind: String, CaseIterable, Sendable {
  case real
  /// Only `broker/advanceClock` moves it.
  case virtual
}
