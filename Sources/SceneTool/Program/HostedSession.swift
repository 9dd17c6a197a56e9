import SceneModel
import ScenePlatform

/// The main thread's state of a hosted program.
final class HostedSession {
  let runner: ProgramRunner
  /// Watches the program's activity file; nil before the first run.
  var watch: DirectoryWatch?
  /// The threads that wait for the program's end.
  var waiters: [BlockingResult<Void>] = []
  /// Whether the program may start again after a requested end.
  var mayComeBack = false
  /// The program's end, unless the program may start again.
  var end: ProcessEnd?
  /// The last request of the scene; nil until the program has ended.
  var lastRequest: LastRequest?
  /// Whether the process ends without closing its scene in order.
  var isLost = false
  /// The pipe whose free space is polled.
  var slowPipe: EventPipe?

  enum LastRequest {
    case save
    /// Reports the failure of the program.
    case report
  }

  /// Whether the user typed the command of this run. A stored command and a launch are not typed.
  private var isTyped: Bool
  /// By the monotonic clock; nil before the first run.
  private var startTime: Int64?
  private var launch: ProgramLaunch?
  /// Whether the last run failed later than at its start.
  private var hasStarted = false
  /// The delays of a program that runs again after a failure; nil for one that does not.
  private var backoff: RetryBackoff?
  /// The delay before the next run; nil unless it has begun.
  private(set) var retryDelay: Interval?

  init(_ program: HostedProgram, _ screen: Screen, isTyped: Bool) {
    runner = ProgramRunner(program, screen)
    self.isTyped = isTyped
  }

  /// Starts the program of a scene. Returns its process group.
  func start(_ launch: ProgramLaunch) throws(SystemError) -> ProcessGroup {
    backoff = launch.retry.map { RetryBackoff(first: $0) }
    return try run(launch)
  }

  /// Runs the program, for the first time or again. Returns its process group.
  func run(_ launch: ProgramLaunch) throws(SystemError) -> ProcessGroup {
    self.launch = launch
    // An activation or a failure starts each later run.
    if startTime != nil { isTyped = false }
    startTime = SystemClock.monotonic()
    return try runner.start(launch)
  }

  /// The end of the program for the broker.
  func exit(_ end: ProcessEnd) -> ClientExit {
    var exit = ClientExit(end)
    exit.failedStart = !isTyped && exit.failsStart(after: age)
    return exit
  }

  /// Nanoseconds since the start of the program.
  private var age: Int64 { SystemClock.monotonic() - (startTime ?? 0) }

  // MARK: - Retry

  /// Begins the delay before the next run, if the program has failed and runs again.
  func beginRetry(after end: ProcessEnd) -> Bool {
    var exit = ClientExit(end)
    exit.failedStart = exit.failsStart(after: age)
    hasStarted = !exit.failedStart
    return !exit.isByUser && beginRetry()
  }

  /// Begins the delay after a failure. Returns false if the program does not run again.
  func beginRetry() -> Bool {
    retryDelay = backoff?.delay(afterRunOf: age)
    return retryDelay != nil
  }

  /// Ends the delay. Returns the parameters of the next run; nil without a delay. `resume`
  /// continues a session whose program has started well.
  func endRetry(resume: [String]?) -> ProgramLaunch? {
    defer { retryDelay = nil }
    guard retryDelay != nil else { return nil }
    if hasStarted, let resume { launch?.resume = resume }
    return launch
  }
}

extension ClientExit {
  fileprivate init(_ end: ProcessEnd) {
    switch end {
    case .exited(let code): self.init(status: Int64(code))
    case .signalled(let signal): self.init(signal: signal.name)
    }
  }
}
