import SceneModel
import Testing

@testable import SceneBroker

/// A manifest that changes while the application runs.
struct ManifestTests {
  private static let notes = Manifest(
    supportsMultipleScenes: true,
    roles: [
      RoleConfigurations(
        role: .windowApplication,
        configurations: [SceneConfiguration(name: "Note"), SceneConfiguration(name: "List")])
    ])

  @Test("it is read again for whoever asks, who is answered when that is done")
  func reload() {
    let stage = Stage()
    let control = stage.control()
    #expect(control.hears(.reload(Reload())) == [])
    #expect(stage.readsManifest)
    stage.handle(.manifestRead(.manifest(Self.notes)))
    #expect(control.heard == ["2 {}"])
    #expect(stage.broker.manifest == Self.notes)
    control.ask(.manifest(ApplicationManifest()))
    guard case .manifest(let reply) = control.lastReply else {
      Issue.record("no manifest")
      return
    }
    #expect("\(reply.manifest.json)".contains(#""name":"List""#))
  }

  @Test("one that is wrong is refused with all that is wrong, and what was stays")
  func refused() {
    let stage = Stage(Self.notes)
    let control = stage.control()
    control.ask(.reload(Reload()))
    stage.handle(.manifestRead(.refused(["app.json: a: b", "app.json: c: d"])))
    #expect(control.lastError == BrokerError(.requestDenied, "app.json: a: b\napp.json: c: d"))
    #expect(stage.broker.manifest == Self.notes)
  }

  @Test("where not all that is wrong has room, it is said how much is left, and who tells it")
  func longRefusal() {
    let stage = Stage(Self.notes)
    let control = stage.control()
    control.ask(.reload(Reload()))
    stage.handle(.manifestRead(.refused((1...1000).map { "app.json: member\($0): is no member" })))
    let lines = control.lastError?.message.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count > 50)
    #expect(lines.first == "app.json: member1: is no member")
    let rest = "and \(1001 - lines.count) more; the broker's log lists all, as does: "
    #expect(lines.last == rest + "scenectl manifest check built-in")
  }

  @Test("nobody need have asked")
  func bySignal() {
    let stage = Stage()
    stage.handle(.manifestRead(.manifest(Self.notes)))
    stage.handle(.manifestRead(.refused(["no"])))
    #expect(stage.broker.manifest == Self.notes)
  }

  @Test("an application that ends reads nothing again")
  func ending() {
    let stage = Stage()
    let control = stage.control()
    let scene = stage.client()
    scene.ask(.connect(SceneConnect(name: "packing")))
    control.ask(.terminate(Terminate()))
    control.ask(.reload(Reload()))
    #expect(control.lastError?.reason == .shuttingDown)
  }

  @Test("F15: a session whose configuration is gone is given its role's default, and told so")
  func lostConfiguration() throws {
    let stage = Stage(Self.notes)
    let first = stage.client()
    first.ask(.connect(SceneConnect(name: "list", configuration: "List")))
    first.acknowledgeAll()
    stage.handle(
      .manifestRead(
        .manifest(
          Manifest(
            supportsMultipleScenes: true,
            roles: [
              RoleConfigurations(
                role: .windowApplication, configurations: [SceneConfiguration(name: "Note")])
            ]))))
    #expect(stage.broker.scenes.count == 1)
    first.close()
    let second = stage.client()
    second.ask(.connect(SceneConnect(name: "list")))
    guard case .willConnect(let message) = try #require(second.callbacks.first).callback else {
      Issue.record("no willConnect")
      return
    }
    #expect(message.missingConfiguration == "List")
    #expect(message.sceneSession.configuration.name == "Note")
  }

  @Test("sessions are found by the configurations there are now")
  func foundByConfiguration() {
    let stage = Stage(Self.notes)
    let first = stage.client()
    first.ask(.connect(SceneConnect(new: true, configuration: "List")))
    let session = stage.broker.stored.sessions.keys.first
    first.close()
    var renamed = Self.notes
    renamed.roles[0].configurations = [
      SceneConfiguration(name: "Index"), SceneConfiguration(name: "Note"),
    ]
    stage.handle(.manifestRead(.manifest(renamed)))
    let second = stage.client()
    second.ask(.connect(SceneConnect(configuration: "Index")))
    #expect(stage.broker.scenes.sessions.first == session)
    #expect(stage.broker.store.flaws.isEmpty)
  }
}
