import SceneClient
import SceneTesting
import Testing

/// The activation states in the Swift API.
struct StatesTests {
  private final class Delegate: SceneDelegate {}

  @Test("F36: a scene is in one of four states, which have UIKit's numbers")
  func numbers() async throws {
    #expect(Scene.ActivationState.allCases.map(\.rawValue).sorted() == [-1, 0, 1, 2])
    try await withBroker { broker in
      let application = try await broker.application(
        "notes", delegates: ["*": Delegate.init], request: SceneRequest(.named("packing")))
      let scene = try #require(application.connectedScenes.first)
      // The state changes before the callback is answered.
      for (verb, state, number) in [
        ("activate", "foregroundActive", 0), ("interrupt", "foregroundInactive", 1),
        ("background", "background", 2), ("reclaim", "unattached", -1),
      ] {
        try await broker.scenectl(verb, "packing")
        try await broker.expect("packing \(state)")
        #expect(scene.activationState.rawValue == number, "\(state)")
      }
    }
  }
}
