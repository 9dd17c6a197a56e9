import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The requests of a scene that change its session.
struct SessionRequestTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("the requests for name and files have the form of the protocol")
  func session() async throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    let script = try Script(end, for: application) {
      try end.expect(SetName(session: packing, name: "bags"), refusal: .nameInUse)
      try end.expect(DataDirectory(session: packing), reply: DataDirectory.Reply(path: "/data/1"))
    }
    let refusal = await #expect(throws: SceneError.self) { try await scene.setName("bags") }
    #expect(refusal?.code == .nameInUse)
    #expect(try await scene.dataDirectory() == "/data/1")
    try await script.end()
  }

  @Test("an assertion ends by its number")
  func assertion() async throws {
    let (application, end, scene) = try foreground()
    defer { application.stop() }
    let script = try Script(end, for: application) {
      try end.expect(
        BeginAssertion(session: packing, name: "upload", seconds: 2.5),
        reply: BeginAssertion.Reply(assertion: 7))
      try end.expect(EndAssertion(assertion: 7), reply: Empty())
    }
    let assertion = try await scene.beginAssertion(named: "upload", for: .milliseconds(2500))
    assertion.end()
    try await script.end()
  }

  /// A client with a scene, whose broker grants an assertion and then receives its end.
  private func withAssertedScene(_ body: (Scene) async throws -> Void) async throws {
    let application = try application()
    let end = try broker.meet()
    // After an earlier loss of the connection, the client would connect again.
    defer { withExtendedLifetime(end) { application.stop() } }
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let script = try Script(end, for: application) {
      try end.reply(try end.request().0, BrokerReply(BeginAssertion.Reply(assertion: 7)))
      try end.expect(EndAssertion(assertion: 7), reply: Empty())
    }
    try await body(scene)
    try await script.end()
  }

  @Test("an assertion that has ended does not expire, although its time has passed")
  func endedExpiration() async throws {
    let gate = ConditionMutex(false)
    let isExpired = ConditionMutex(false)
    try await withAssertedScene { scene in
      scene.perform(as: LoggingDelegate.self) { _ in _ = gate.wait { $0 ? true : nil } }
      let assertion = try await scene.beginAssertion(named: "upload", for: .zero) {
        isExpired.withLock { $0 = true }
      }
      assertion.end()
      gate.withLock { $0 = true }
      await withCheckedContinuation { continuation in
        scene.perform(as: LoggingDelegate.self) { _ in continuation.resume() }
      }
    }
    #expect(!isExpired.withLock { $0 })
  }

  @Test("an assertion calls onExpiration when its duration has passed, and not after its end")
  func expiration() async throws {
    try await withAssertedScene { scene in
      let (expired, expiring) = AsyncStream.makeStream(of: Void.self)
      let assertion = try await scene.beginAssertion(
        named: "upload", for: .milliseconds(1), onExpiration: { expiring.finish() })
      for await _ in expired {}
      assertion.end()
    }
    try await withAssertedScene { scene in
      let (expired, expiring) = AsyncStream.makeStream(of: Bool.self)
      let assertion = try await scene.beginAssertion(
        named: "upload", for: .seconds(3600), onExpiration: { expiring.yield(true) })
      assertion.end()
      expiring.finish()
      for await _ in expired { Issue.record("the assertion expired after its end") }
    }
  }
}
