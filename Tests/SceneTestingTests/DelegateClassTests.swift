import SceneClient
import SceneTestSupport
import SceneTesting
import Testing

/// Several kinds of scene, with delegates in two Swift processes.
@Suite("Delegate classes and sessions")
struct DelegateClassTests {
  private class Named: SceneDelegate {
    class var title: String { "" }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws { scene.title = Self.title }
  }

  private final class NoteDelegate: Named {
    override class var title: String { "a note" }
  }

  private final class MapDelegate: Named {
    override class var title: String { "a map" }
  }

  private static let manifest = #"""
    {
      "supportsMultipleScenes": true,
      "configurations": {
        "windowApplication": [
          {"name": "Note", "delegateClass": "NoteDelegate"},
          {"name": "Map", "delegateClass": "MapDelegate"},
          {"name": "Chat", "delegateClass": "ChatDelegate"}
        ]
      }
    }
    """#

  @Test("F9, F22, F38: the configuration names the delegate class, and a process sees all sessions")
  func all() async throws {
    let workplace = try Workplace()
    let manifest = try workplace.write("notes.json", Self.manifest)
    try await withBroker(options: ["--manifest", manifest]) { broker in
      let travel = try await broker.application(
        "travel", delegates: ["NoteDelegate": NoteDelegate.init, "MapDelegate": MapDelegate.init],
        request: SceneRequest(.named("itinerary")))
      var map = SceneRequest(.named("sardinia"))
      map.configuration = "Map"
      try await travel.connectScene(map)
      try await broker.settle()
      let scene = try #require(travel.connectedScenes.first { $0.session.name == "sardinia" })
      scene.session.userInfo = ["island": "Sardinia"]
      let notes = try await broker.application(
        "notes", delegates: ["NoteDelegate": NoteDelegate.init],
        request: SceneRequest(.named("packing")))
      #expect(titles(travel) == ["itinerary": "a note", "sardinia": "a map"])
      #expect(titles(notes) == ["packing": "a note"])

      // No process has this delegate class, so the broker asks none.
      await #expect(throws: TestFailure.self) {
        try await broker.scenectl("new", "--configuration", "Chat")
      }
      // The process that has the class creates the map.
      try await broker.scenectl("new", "--configuration", "Map")
      #expect(travel.connectedScenes.count == 3)
      #expect(notes.connectedScenes.count == 1)

      // A process sees its own scenes, and all sessions.
      try await broker.scenectl("background", "packing")
      try await broker.scenectl("reclaim", "packing")
      #expect(notes.connectedScenes.isEmpty)
      let sessions = try await notes.openSessions
      #expect(sessions.count == 4)
      let sardinia = sessions.filter { $0.userInfo?["island"] as? String == "Sardinia" }
      #expect(sardinia.map(\.name) == ["sardinia"])
      let packing = try #require(sessions.first { $0.name == "packing" })
      try await travel.requestSceneSessionDestruction(packing)
      #expect(try await travel.openSessions.count == 3)
    }
  }

  private func titles(_ application: SceneApplication) -> [String?: String?] {
    Dictionary(
      uniqueKeysWithValues: application.connectedScenes.map { ($0.session.name, $0.title) })
  }
}
