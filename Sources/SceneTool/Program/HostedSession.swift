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

  init(_ program: HostedProgram, _ screen: Screen, isTyped: Bool) {
    runner = ProgramRunner(program, screen)
    self.isTyped = isTyped
  }

  /// Returns the process group of the program.
  func start(_ launch: ProgramLaunch) throws(SystemError) -> ProcessGroup {
    // An activation starts each later run.
    if startTime != nil { isTyped = false }
    startTime = SystemClock.monotonic()
    return try runner.start(launch)
  }

  /// The end of the program for the broker.
  func exit(_ end: ProcessEnd) -> ClientExit {
    var exit = ClientExit(end)
    let age = SystemClock.monotonic() - (startTime ?? 0)
    exit.failedStart = !isTyped && exit.failsStart(after: age)
    return exit
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
