import SceneClient
import SceneTesting
import Testing

/// A client that refuses scenes.
struct RefusalTests {
  private struct Unwanted: Error, CustomStringConvertible { let description = "not this one" }

  private final class RefusingDelegate: SceneDelegate {
    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws { throw Unwanted() }
  }

  private final class PlainDelegate: SceneDelegate {}

  @Test("F40: one process has several scenes with independent life cycles")
  func several() async throws {
    try await withBroker { broker in
      let application = try await broker.application(
        "notes", delegates: ["*": PlainDelegate.init], request: SceneRequest(.named("packing")))
      _ = try await application.connectScene(SceneRequest(.named("itinerary")))
      try await broker.wait(
        for: "packing foregroundActive", "itinerary foregroundActive")
      #expect(application.connectedScenes.count == 2)
      try await broker.scenectl("background", "packing")
      try await broker.expect(
        "packing background", "itinerary foregroundActive")
    }
  }

  @Test("F44: a delegate that throws refuses the scene, and the new session is removed")
  func refused() async throws {
    try await withBroker { broker in
      let application = SceneApplication(
        name: "picky", delegates: ["*": RefusingDelegate.init], socket: broker.socket)
      try application.start()
      defer { application.stop() }
      _ = try await application.connectScene(SceneRequest(.named("packing")))
      try await broker.wait(for: "! packing")
      #expect(application.connectedScenes.isEmpty)
    }
  }
}
