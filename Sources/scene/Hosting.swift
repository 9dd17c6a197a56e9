import ScenePlatform

/// What the main thread has of a scene that is a program.
final class Hosting {
  let runner: ProgramRunner
  /// Watches the program's activity file; nil before the first run.
  var watch: DirectoryWatch?
  /// Those who wait for the program's end.
  var errands: [Errand<Void>] = []
  /// Whether the program may be started again when it has ended as it was told.
  var mayComeBack = false
  /// How the program ended, unless it may be started again.
  var end: ProcessEnd?
  /// Whether what it wrote last is being saved.
  var isSavingLast = false
  /// Whether the scene is to be left without a word.
  var isLost = false
  /// The pipe that there is to be room in.
  var slowPipe: EventPipe?

  init(_ program: HostedProgram, _ screen: Screen) {
    runner = ProgramRunner(program, screen)
  }
}
