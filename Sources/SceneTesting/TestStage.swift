import SceneClient
import ScenePlatform
import SceneScript

/// All that a test has started. It ends when nobody refers to it any more.
///
/// It is unchecked because the compiler cannot see that its parts are used by one broker's thread
/// alone, and afterwards by the end.
final class TestStage: @unchecked Sendable {
  let stage: Stage
  let thread: TestThread
  private(set) var applications: [SceneApplication] = []
  private(set) var isStruck = false

  init(_ settings: Stage.Settings) throws(StepFailure) {
    // A process that has ended before it was spoken to is for the test to tell.
    Signal.ignoreBrokenPipes()
    stage = try Stage(settings)
    do throws(SystemError) {
      thread = try TestThread()
    } catch {
      stage.strike()
      throw .broken(error.description)
    }
  }

  func add(_ application: SceneApplication) { applications.append(application) }

  /// Ends everything, and removes the directory.
  func strike() {
    guard !isStruck else { return }
    isStruck = true
    for application in applications { application.stop() }
    stage.strike()
  }

  deinit {
    strike()
    thread.finish()
  }
}
