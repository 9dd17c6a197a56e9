package import SceneBroker
package import SceneJournal
package import SceneManifest
package import SceneModel
package import ScenePlatform

/// The configuration of a broker.
package struct ServerConfiguration {
  package var application: ApplicationName
  package var socketPath: String
  package var stateDirectory: String
  /// The directories that the broker makes for the socket and for the state. A path that the user
  /// named may be misspelled, so the broker does not make all its directories.
  package var makingForSocket = PrivateDirectory.Making.none
  package var makingForState = PrivateDirectory.Making.last
  /// The source of the state directory's path.
  package var wayToState = "--state"
  package var durability: Durability = .disk
  package var limits = Limits()
  package var manifest: Manifest = .builtIn
  /// The warnings about the manifest.
  package var manifestWarnings: [ManifestDiagnostic] = []
  /// Nil for the built-in one.
  package var manifestSource: ManifestSource?
  package var clock = ClockKind.real
  /// Whether the process can reach only its own files, and the broker starts no programs.
  package var isConfined = false
  /// Receives a newline when the broker is ready.
  package var readyDescriptor: Int32?
  /// When it reaches its end, the broker ends in order.
  package var lifetimeDescriptor: Int32?
  /// The command that the broker runs for; nil for a broker without a command.
  package var command: HostedCommand?
  /// The faults of a test; nil outside of tests.
  package var faults: Faults?
  /// Receives how much of the journal has been read.
  package var startProgress: StartProgress?
  /// The state of the program that this one replaces.
  package var upgrade: UpgradeSource?
  package var version: String
  /// The options that select this broker in a suggested command, each after a space.
  package var options = ""

  /// The state directory that the lock beside the socket names; empty without one.
  var lockedState: String {
    durability == .none ? "" : Directory.absolute(stateDirectory)
  }

  var socketDirectory: String? { Directory.parent(of: Directory.absolute(socketPath)) }

  package init(
    application: ApplicationName, socketPath: String, stateDirectory: String, version: String
  ) {
    self.application = application
    self.socketPath = socketPath
    self.stateDirectory = stateDirectory
    self.version = version
  }
}
