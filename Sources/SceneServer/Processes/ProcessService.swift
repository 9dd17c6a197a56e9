import SceneBroker
import SceneModel
import ScenePlatform

/// The processes of clients and of launched programs, as the event loop sees them.
struct ProcessService {
  private let inspector: any ProcessInspector
  /// Nil for a broker that launches no programs.
  private let launcher: (any ProgramLauncher)?
  private var identifiers: IdentifierGenerator
  /// The prefix of all launch tokens of this broker; nil before the first launch.
  private var tokenPrefix: UInt64?

  init(
    _ inspector: any ProcessInspector, launcher: (any ProgramLauncher)?,
    identifiers: IdentifierGenerator
  ) {
    self.inspector = inspector
    self.launcher = launcher
    self.identifiers = identifiers
  }

  // MARK: - Launched programs

  var launchesPrograms: Bool { launcher != nil }

  /// The problem of a launch in a broker that starts no programs.
  static let refusal = "this broker starts no programs"

  /// Starts a program with a new token in its environment. Nil if this broker starts no programs.
  mutating func launch(
    _ request: LaunchRequest
  ) throws(SystemError) -> (process: ClientProcess, token: String)? {
    guard let launcher else { return nil }
    let prefix = tokenPrefix ?? identifiers.nextWord()
    tokenPrefix = prefix
    let token = LaunchToken.text(broker: prefix, launch: identifiers.nextWord())
    return (try launcher.start(request, token: token), token)
  }

  /// Ends a launched program, with all processes that it started.
  func end(_ launch: LaunchIdentifier) { launcher?.end(launch) }

  /// Ends launches of earlier brokers, except those with one of these processes.
  func endSurvivors(sparing connected: Set<Int64>) {
    launcher?.endSurvivors(sparing: connected)
  }

  // MARK: - Processes of clients

  func isRunning(_ process: ClientProcess) -> Bool { inspector.state(of: process) == .running }

  func isDebugged(_ process: ClientProcess) -> Bool {
    process.pid > 0 && inspector.isDebugged(process.pid)
  }

  func send(_ request: SignalRequest) -> SignalOutcome {
    inspector.send(request.signal, to: request.process)
  }

  /// Nil where the system does not tell.
  func activity(of process: ClientProcess) -> ProcessActivity? {
    inspector.activity(of: process.pid)
  }

  /// The activity of all processes in the group of a launched program, as if they were one.
  func groupActivity(of process: ClientProcess) -> ProcessActivity? {
    inspector.groupActivity(of: process.pid)
  }
}
