import SceneClient
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// The warning of an application delegate that the broker does not ask.
@Suite("Log of an application delegate")
struct DelegateLogTests {
  private final class AppDelegate: ApplicationDelegate {
    let asked: ConditionMutex<Bool>

    init(_ asked: ConditionMutex<Bool>) { self.asked = asked }

    func application(
      _ application: SceneApplication, sceneDidConnect persistentIdentifier: String,
      reason: Scene.ConnectionOptions.Reason
    ) { asked.withLock { $0 = true } }
  }

  @Test(
    "a delegate warns when it connects, unless the manifest gives it a part",
    arguments: [("builtIn", 1), ("optional", 0)])
  func participation(part: String, count: Int) async throws {
    // The task begins when the other tests leave it a thread.
    try await withBroker(options: ["--application-delegate", part], ceiling: .seconds(600)) {
      broker in
      let records = ConditionMutex<[SceneLogRecord]>([])
      let isNotified = ConditionMutex(false)
      let process = SceneApplication(
        name: "app", delegate: AppDelegate(isNotified), socket: broker.socket
      ) { record in records.withLock { $0.append(record) } }
      let run = Task(priority: .high) { try await process.run() }
      try await broker.wait(for: "application delegate.name=app")
      try await broker.client("packing")
      #expect(isNotified.wait(until: SystemClock.monotonic() + ceiling) { $0 ? true : nil } == true)
      process.stop()
      try await run.value
      let logged = records.withLock { $0 }
      #expect(logged.count == count)
      #expect(logged.allSatisfy { $0.level == .warning && $0.message.contains("builtIn") })
    }
  }
}
