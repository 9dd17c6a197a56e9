package import SceneBroker
package import SceneJournal
package import SceneManifest
package import SceneModel
package import ScenePlatform

/// How a daemon is to run.
package struct ServerConfiguration {
  package var application: ApplicationName
  package var socketPath: String
  package var stateDirectory: String
  /// Which directories are made for them: where the user named a place, it may be misspelt.
  package var makingForSocket = PrivateDirectory.Making.none
  package var makingForState = PrivateDirectory.Making.last
  /// What says where the state lies.
  package var wayToState = "--state"
  package var durability: Durability = .disk
  package var limits = Limits()
  package var manifest: Manifest = .builtIn
  /// What the reader of the manifest changed or left out.
  package var manifestWarnings: [ManifestFlaw] = []
  /// Nil for the built-in one.
  package var manifestSource: ManifestSource?
  package var clock = ClockKind.real
  /// Told a newline when the broker is ready.
  package var readyDescriptor: Int32?
  /// When it reaches its end, the broker ends in order.
  package var leashDescriptor: Int32?
  /// What the broker is there for, if it is for one command.
  package var command: HostedCommand?
  /// What a test makes go wrong, if the broker is there to be tested.
  package var faults: Faults?
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

/// Why a daemon cannot start, or cannot go on.
package struct ServerError: Error, CustomStringConvertible {
  package enum Kind: Sendable {
    /// Another daemon is there already.
    case inUse
    case badConfiguration
    case notAllowed
    case damaged
    case inputOutput
    /// There is no room, now.
    case noRoom
    /// The command that it was to be there for does not exist, or cannot be started.
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

  /// `option` names another directory; `advice` is what to do with one that is made instead of the
  /// one that will not do.
  init(_ error: PrivateDirectoryError, option: String, advice: (String) -> String) {
    switch error.reason {
    case .open:
      self.init(
        .badConfiguration, error.description + (error.remedy.map { "\n" + advice($0) } ?? ""))
    case .symbolicLink, .notADirectory, .foreign, .ancestor, .closed, .noHome, .missing:
      self.init(.badConfiguration, error.description)
    case .system(let error):
      let system = ServerError(error)
      let isAtHome = User.home.map { error.path?.hasPrefix($0 + "/") == true } ?? false
      self.init(
        system.kind,
        system.description
          + (isAtHome
            ? "; name other places with -S and --state, or set HOME to a directory of yours"
            : "; choose another place with \(option)"))
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
