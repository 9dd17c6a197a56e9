import SceneClient
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// Requests of a scene in UIKit's spelling that no port makes.
@Suite("Requests in UIKit's spelling")
struct RequestSpellingTests {
  private final class WindowDelegate: SceneDelegate {}

  private final class RefusingDelegate: SceneDelegate {
    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws { throw SceneError(.requestDenied, "not now") }
  }

  private func application(
    _ broker: TestBroker
  ) async throws -> (application: SceneApplication, scene: Scene) {
    let application = try await broker.application(
      "notes", delegates: ["WindowDelegate": WindowDelegate.init],
      request: SceneRequest(.named("packing")))
    return (application, try #require(application.connectedScenes.first))
  }

  @Test("a scene stores its userInfo, opens content, and destroys its session")
  func sessions() async throws {
    try await withBroker { broker in
      let (application, scene) = try await application(broker)
      #expect(scene.application === application)
      try await scene.session.setUserInfo(["color": "red"])
      let identifier = scene.session.persistentIdentifier
      #expect(try await application.session(identifier).userInfo?["color"] as? String == "red")
      let url = try OpenURLContext(url: "note:1")
      let opened = try await scene.open(.urls([url]))
      #expect(opened == identifier)
      try await application.requestSceneSessionDestruction(scene.session)
      try await broker.wait(for: "application sessions=0")
    }
  }

  @Test("an assertion protects a scene in the background, as a background task does")
  func assertion() async throws {
    try await withBroker { broker in
      let (_, scene) = try await application(broker)
      try await broker.background("packing")
      let assertion = try await scene.beginAssertion(named: "upload", for: .seconds(60))
      try await broker.reclaim()
      try await broker.expect("packing background")
      assertion.end()
      try await scene.withAssertion(named: "upload", for: .seconds(60)) {
        try await broker.reclaim()
        try await broker.expect("packing background")
      }
      try await broker.reclaim("packing")
      try await broker.expect("packing unattached disconnect.reason=reclaimed")
    }
  }

  /// A delegate that uses the main actor while its scene connects.
  private final class CountedDelegate: SceneDelegate {
    @MainActor static var count = 0

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) async throws { await MainActor.run { Self.count += 1 } }
  }

  @Test(
    "an application runs until its task is cancelled or it is stopped, and ends its scenes in order",
    arguments: [true, false])
  func run(isCancelled: Bool) async throws {
    // The task begins before the waiting tests, because of its priority. The main actor may be busy
    // with other tests.
    try await withBroker(
      options: ["--budget", "willConnect=600s"], ceiling: .seconds(600)
    ) { broker in
      let application = SceneApplication(
        name: "notes", delegates: ["*": CountedDelegate.init], socket: broker.socket)
      let run = Task(priority: .high) { try await application.run(SceneRequest(.named("packing"))) }
      try await broker.wait(for: "packing foregroundActive")
      try await application.connectScene(SceneRequest(.named("beach")))
      try await broker.wait(for: "beach foregroundActive")
      #expect(await CountedDelegate.count >= 2)
      if isCancelled { run.cancel() } else { application.stop() }
      try await run.value
      for name in ["packing", "beach"] {
        try await broker.wait(for: "\(name) unattached disconnect.reason=clientRequest")
      }
    }
  }

  @Test("an application with one window refuses a second session with UIKit's error")
  func oneWindow() async throws {
    let manifest = try Workplace()
    let path = try manifest.write("one.json", #"{"supportsMultipleScenes": false}"#)
    try await withBroker(options: ["--manifest", path]) { broker in
      let (application, _) = try await application(broker)
      var options = Scene.ActivationRequestOptions()
      options.name = "itinerary"
      let error = await #expect(throws: SceneError.self) {
        try await application.requestSceneSessionActivation(nil, options: options)
      }
      #expect(error?.code == .multipleScenesNotSupported)
    }
  }

  @Test("an activation that every process refuses fails with UIKit's error")
  func refused() async throws {
    try await withBroker { broker in
      _ = try await broker.application(
        "picky", delegates: ["*": RefusingDelegate.init], request: nil)
      let application = try await broker.application("notes", delegates: [:], request: nil)
      let error = await #expect(throws: SceneError.self) {
        try await application.requestSceneSessionActivation(nil)
      }
      #expect(error?.code == .requestDenied)
    }
  }
}
