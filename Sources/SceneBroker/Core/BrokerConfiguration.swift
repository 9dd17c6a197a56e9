package import SceneModel

/// The values that the broker gets from outside. Only the manifest changes.
package struct BrokerConfiguration: Equatable, Sendable {
  package let identity: BrokerIdentity
  /// The name of the application.
  package let application: String
  package var manifest: Manifest
  package let limits: Limits
  package let environment: RuntimeInfo

  package init(
    identity: BrokerIdentity, application: String, manifest: Manifest, limits: Limits,
    environment: RuntimeInfo
  ) {
    self.identity = identity
    self.application = application
    self.manifest = manifest
    self.limits = limits
    self.environment = environment
  }
}

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
