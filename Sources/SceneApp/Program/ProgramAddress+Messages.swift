import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The messages and the command line of a program.
extension ProgramAddress {
  /// The version that `--version` shows: this library's.
  static let version = "(SceneBroker \(productVersion))"

  /// How a broker of this application is started from a shell.
  var startCommand: String { RuntimePaths.startCommand(application: application, socket: socket) }

  /// The text for an error. `start` is the command that starts a broker, if a manifest belongs to
  /// it.
  func explanation(of error: SceneError, start: String?) -> String {
    let message = PlainText.escaped(error.message)
    if error.code == .noDelegateClass || error.code == .noConfiguration, let start {
      let options = RuntimePaths.options(application: application, socket: socket)
      return """
        the broker does not know this application's scenes: \(message)
        End this broker with: scenectl\(options) shutdown
        Then start one with this application's manifest: \(start)
        """
    }
    // Where there can never be a broker, starting one is no advice.
    guard error.code == .brokerUnavailable, error.retry != .never else { return message }
    let path = try? BrokerAddress(socket: socket, application: application).path
    let advice =
      path.flatMap { LockHolder.obstacle(atSocket: $0) }
      ?? "Start one with: \(start ?? startCommand)"
    return "\(RuntimePaths.absence(of: application)): \(message)\n\(PlainText.escapedLines(advice))"
  }

  /// Reads the command line of a program without arguments of its own. `--help`, `--version` and a
  /// word that it does not know end the process.
  func readCommandLine(
    _ arguments: [String]?, summary: String, exits: KeyValuePairs<ExitCode, String>
  ) {
    let command = Command(name, summary, version: Self.version, exits: exits)
    do {
      let words = try arguments ?? Arguments.text(of: CurrentProcess.arguments, for: name)
      guard case .print(let text) = try command.parse(words, columns: Terminal.columns) else {
        return
      }
      try StandardStream.output.write(text)
      CurrentProcess.exit(ExitCode.success.rawValue)
    } catch {
      end(error)
    }
  }

  /// Reports an event to the log.
  func report(_ level: SceneLogRecord.Level, _ message: String, error: SceneError? = nil) {
    log(SceneLogRecord(level, message, error: error))
  }

  func fail(_ message: String, _ code: ExitCode, error: SceneError? = nil) -> Never {
    report(.error, message, error: error)
    CurrentProcess.exit(code.rawValue)
  }

  /// Ends the program for an error that it cannot handle.
  func fail(_ error: SceneError, start: String? = nil) -> Never {
    fail(explanation(of: error, start: start), ExitCode(error), error: error)
  }

  /// Ends the program for an error of its command line or its output.
  func end(_ error: any Error) -> Never {
    let (message, code): (String, ExitCode) =
      switch error {
      case is UsageError: ("\(error)", .usage)
      case is EnvironmentError: ("\(name): \(error)", .badConfiguration)
      default: ("\(name): standard output: \(error)", .inputOutput)
      }
    StandardStream.error.offer(PlainText.escapedLines(message) + "\n", required: true)
    CurrentProcess.exit(code.rawValue)
  }
}
