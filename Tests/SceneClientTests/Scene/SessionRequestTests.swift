import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// The requests of a scene that change its session.
struct SessionRequestTests: ApplicationSuite {
  let broker = StubBroker()
  let log = CallbackLog()

  @Test("the requests for userInfo, name and files have the form of the protocol")
  func session() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let object: UserInfo = ["line": 42]
    let script = try Script(end, for: application) {
      let (first, userInfo) = try end.request()
      #expect(
        userInfo
          == ClientRequest(
            SetUserInfo(
              session: packing,
              userInfo: OpaqueObject(unchecked: object.raw))))
      try end.reply(first, .empty)
      let (second, name) = try end.request()
      #expect(name == ClientRequest(SetName(session: packing, name: "bags")))
      try end.refuse(second, .nameInUse)
      let (third, directory) = try end.request()
      #expect(directory == ClientRequest(DataDirectory(session: packing)))
      try end.reply(third, BrokerReply(DataDirectory.Reply(path: "/data/1")))
    }
    try await scene.setUserInfo(object)
    let refusal = await #expect(throws: SceneError.self) { try await scene.setName("bags") }
    #expect(refusal?.code == .nameInUse)
    #expect(try await scene.dataDirectory() == "/data/1")
    try await script.end()
  }

  @Test("an assertion ends by its number")
  func assertion() async throws {
    let application = try application()
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    let script = try Script(end, for: application) {
      let (first, begin) = try end.request()
      #expect(
        begin
          == ClientRequest(BeginAssertion(session: packing, name: "upload", seconds: 2.5)))
      try end.reply(first, BrokerReply(BeginAssertion.Reply(assertion: 7)))
      let (second, finish) = try end.request()
      #expect(finish == ClientRequest(EndAssertion(assertion: 7)))
      try end.reply(second, .empty)
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
      let (number, finish) = try end.request()
      #expect(finish == ClientRequest(EndAssertion(assertion: 7)))
      try end.reply(number, .empty)
    }
    try await body(scene)
    try await script.end()
  }

  @Test("an assertion that has ended does not expire, although its time has passed")
  func endedExpiration() async throws {
    let gate = ConditionMutex(false)
    let isExpired = ConditionMutex(false)
    try await withAssertedScene { scene in
      scene.perform { _ in _ = gate.wait { $0 ? true : nil } }
      let assertion = try await scene.beginAssertion(named: "upload", for: .zero) {
        isExpired.withLock { $0 = true }
      }
      // The handler waits for the scene then.
      while scene.client.withState({ !$0.completions.isEmpty }) { await Task.yield() }
      assertion.end()
      gate.withLock { $0 = true }
      await withCheckedContinuation { continuation in
        scene.perform { _ in continuation.resume() }
      }
    }
    #expect(!isExpired.withLock { $0 })
  }

  /// A caller whose state the body of an assertion uses.
  private actor Uploader {
    private(set) var count = 0

    func upload(_ scene: Scene) async throws -> Int {
      try await scene.withAssertion(named: "upload", for: .seconds(3600)) {
        count += 1
        return count
      }
    }
  }

  @Test("withAssertion returns the result of its body, and ends the assertion")
  func scoped() async throws {
    try await withAssertedScene { scene in
      let count = try await Uploader().upload(scene)
      #expect(count == 1)
    }
  }

  @Test("withAssertion ends the assertion when its body throws")
  func scopedError() async throws {
    try await withAssertedScene { scene in
      let error = await #expect(throws: SceneError.self) {
        try await scene.withAssertion(named: "upload", for: .seconds(3600)) {
          throw SceneError(.requestDenied, "no")
        }
      }
      #expect(error?.code == .requestDenied)
    }
  }

  @Test("when the duration has passed, the body of withAssertion is cancelled")
  func expired() async throws {
    try await withAssertedScene { scene in
      await #expect(throws: CancellationError.self) {
        try await scene.withAssertion(named: "upload", for: .milliseconds(1)) {
          try await Task.sleep(for: .seconds(3600))
        }
      }
    }
  }

  @Test("cancelling the task cancels the body of withAssertion, and ends the assertion")
  func cancelled() async throws {
    try await withAssertedScene { scene in
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        try await scene.withAssertion(named: "upload", for: .seconds(3600)) {
          beginning.finish()
          try await Task.sleep(for: .seconds(3600))
        }
      }
      for await _ in begun {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
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
