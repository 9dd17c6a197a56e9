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
  /// The changes and omissions of the manifest's reader.
  package var manifestWarnings: [ManifestDiagnostic] = []
  /// Nil for the built-in one.
  package var manifestSource: ManifestSource?
  package var clock = ClockKind.real
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
  package var version: String

  package init(
    application: ApplicationName, socketPath: String, stateDirectory: String, version: String
  ) {
    self.application = application
    self.socketPath = socketPath
    self.stateDirectory = stateDirectory
    self.version = version
  }
}

/// Why a broker cannot start or continue.
package struct ServerError: Error, CustomStringConvertible {
  package enum Kind: Sendable {
    /// Another broker uses the socket or the state.
    case inUse
    case badConfiguration
    case notAllowed
    case damaged
    case inputOutput
    /// The disk is full.
    case noRoom
    /// The command of a private broker does not exist, or cannot be started.
    case noCommand
    case badCommand
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: SystemError) {
    let kind: Kind =
      error.isDenied ? .notAllowed : error.code == .notASocket ? .badConfiguration : .inputOutput
    self.init(kind, error.description)
  }

  /// `failure` names the failed action. `option` sets the path; `value` is the value of the
  /// option for a directory that is made instead.
  init(
    _ failure: String, _ error: PrivateDirectoryError, option: String, value: (String) -> String
  ) {
    switch error.reason {
    case .symbolicLink, .notADirectory, .foreign, .open, .ancestor, .closed, .noHome, .missing:
      let advice = error.remedy.map { "\nThen start scened with: \(option) \(value($0).shellPath)" }
      self.init(.badConfiguration, "\(failure): \(error)\(advice ?? "")")
    case .system(let error):
      let system = ServerError(error)
      let isAtHome = User.home.map { error.path?.hasPrefix($0 + "/") == true } ?? false
      self.init(
        system.kind,
        "\(failure): \(system)"
          + (isAtHome
            ? "; choose other paths with -S and --state, or set HOME to a directory of your own"
            : "; choose another path with \(option)"))
    }
  }

  init(_ error: JournalError, _ configuration: ServerConfiguration) {
    let kind: Kind =
      switch error {
      case .noRoom: .noRoom
      case .damaged, .gone, .foreign, .newerFormat: .damaged
      case .storage(let cause) where cause.call == .keepLock: .inputOutput
      case .cannotWait: .inputOutput
      case .storage(let cause):
        switch cause.reason {
        case .denied: .notAllowed
        case .notAFile: .damaged
        case .noSpace, .notFound, .code: .inputOutput
        }
      }
    self.init(
      kind, error.message(in: configuration.stateDirectory, chosenBy: configuration.wayToState))
  }
}

/// Runs what the system may refuse; its errors become the server's.
func orServerError<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(ServerError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw ServerError(error)
  }
}
