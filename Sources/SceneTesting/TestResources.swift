import SceneClient
import ScenePlatform
import SceneScript

/// The processes, applications and the thread of a test. They end with the last reference.
///
/// Unchecked, because the compiler cannot see that only one thread uses the properties: the
/// broker's, and then the one that runs `deinit`.
final class TestResources: @unchecked Sendable {
  let environment: ScriptEnvironment
  let thread: TestThread
  private(set) var applications: [SceneApplication] = []
  private(set) var isTornDown = false

  init(_ settings: ScriptEnvironment.Settings) throws(StepFailure) {
    // The test reports a process that exits early, so a write to its pipe must not end the test.
    Signal.ignoreBrokenPipes()
    environment = try ScriptEnvironment(settings)
    do throws(SystemError) {
      thread = try TestThread()
    } catch {
      environment.tearDown()
      throw .unrunnable(error.description)
    }
  }

  func add(_ application: SceneApplication) { applications.append(application) }

  /// Ends all processes and applications, and removes the directory.
  func tearDown() {
    guard !isTornDown else { return }
    isTornDown = true
    for application in applications { application.stop() }
    environment.tearDown()
  }

  deinit {
    tearDown()
    thread.finish()
  }
}
