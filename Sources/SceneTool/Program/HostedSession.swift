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

  init(_ program: HostedProgram, _ screen: Screen) {
    runner = ProgramRunner(program, screen)
  }
}
