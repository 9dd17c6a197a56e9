import SceneCommandLine
import SceneJournal
import ScenePlatform

/// Why a broker cannot start or continue.
extension ProgramError {
  /// The error of a system call of the server. A missing file is a fault of the system here, and
  /// not a session that does not exist, as it is for the verbs of `scenectl`.
  init(ofServer error: SystemError) {
    let code: ExitCode =
      error.isDenied ? .notAllowed : error.code == .notASocket ? .badConfiguration : .inputOutput
    self.init(code, error.description)
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
      let isAtHome = User.home.map { error.path?.hasPrefix($0 + "/") == true } ?? false
      self.init(ofServer: error)
      message =
        "\(failure): \(error)"
        + (isAtHome
          ? "; choose other paths with -S and --state, or set HOME to a directory of your own"
          : "; choose another path with \(option)")
    }
  }

  init(_ error: JournalError, _ configuration: ServerConfiguration) {
    let code: ExitCode =
      switch error {
      case .noRoom: .tryAgain
      case .damaged, .gone, .foreign, .newerFormat: .badData
      case .storage(let cause) where cause.call == .keepLock: .inputOutput
      case .storage(let cause):
        switch cause.reason {
        case .denied: .notAllowed
        case .notAFile: .badData
        case .noSpace, .notFound, .code: .inputOutput
        }
      }
    self.init(
      code, error.message(in: configuration.stateDirectory, chosenBy: configuration.wayToState))
  }
}

/// The result of system calls of the server. Their error ends the server.
func serverCall<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(ProgramError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw ProgramError(ofServer: error)
  }
}
