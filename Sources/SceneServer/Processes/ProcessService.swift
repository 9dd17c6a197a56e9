package import SceneBroker
package import SceneModel
package import ScenePlatform

/// The processes of clients and of launched programs, as the event loop sees them.
struct ProcessService {
  let inspector: any ProcessInspector
  /// Nil for a broker that launches no programs.
  let launcher: (any ProgramLauncher)?
  /// The processes of closed connections whose exit the broker awaits.
  var peers: [ConnectionIdentifier: PeerProcess] = [:]
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

  func isRunning(_ process: ClientProcess) -> Bool { inspector.state(of: process) == .running }

  func halt(of process: ClientProcess) -> ProcessHalt? {
    guard process.pid > 0 else { return nil }
    if inspector.isDebugged(process.pid) { return .debugged }
    return inspector.activity(of: process.pid)?.state == .stopped ? .stopped : nil
  }
}

/// The state of processes, as the system or a test reports it.
package protocol ProcessInspector {
  func state(of process: ClientProcess) -> ProcessIdentity.Liveness
  func isDebugged(_ pid: Int64) -> Bool
  /// Nil where the system does not tell.
  func activity(of pid: Int64) -> ProcessActivity?
  /// Of all processes in the group that one leads, as if they were one.
  func groupActivity(of pid: Int64) -> ProcessActivity?
  /// Sends a signal, by its name or its number.
  func send(_ signal: String, to process: ClientProcess) -> SignalOutcome
  /// The memory of a process and its descendants.
  func residentBytes(of pid: Int64) -> Int64?
}

extension ProcessInspector {
  package func groupActivity(of pid: Int64) -> ProcessActivity? { activity(of: pid) }

  package func residentBytes(of pid: Int64) -> Int64? { nil }

  /// Made-up processes cannot be signalled.
  package func send(_ signal: String, to process: ClientProcess) -> SignalOutcome { .gone }
}

/// Starts programs for sessions that need a process, and ends them. A test has its own.
package protocol ProgramLauncher: AnyObject {
  /// Starts a program with the token in its environment. The event loop learns of its end.
  func start(_ request: LaunchRequest, token: String) throws(SystemError) -> ClientProcess
  /// Ends a launched program, with all processes that it started.
  func end(_ launch: LaunchIdentifier)
  /// Ends launches of earlier brokers, except those with one of these processes.
  func endSurvivors(sparing connected: Set<Int64>)
}

/// The token in the environment of a launched program. All tokens of one broker have one prefix.
enum LaunchToken {
  /// The digits that identify the broker.
  static let prefixLength = 16

  static func text(broker: UInt64, launch: UInt64) -> String { digits(broker) + digits(launch) }

  private static func digits(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: prefixLength - text.count) + text
  }
}
