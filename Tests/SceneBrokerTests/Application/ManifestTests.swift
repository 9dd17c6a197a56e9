import SceneModel
import Testing

@testable import SceneBroker

/// A manifest that changes while the application runs.
final class ManifestTests: BrokerSuite {
  private static let notes = Manifest(
    supportsMultipleScenes: true,
    roles: [
      RoleConfigurations(
        role: .windowApplication,
        configurations: [SceneConfiguration(name: "Note"), SceneConfiguration(name: "List")])
    ])

  @Test("the manifest is read again on request, and the reply comes afterwards")
  func reload() throws {
    #expect(control.hears(Reload()) == [])
    #expect(fixture.commands == [.readManifest])
    fixture.handle(.manifestRead(.manifest(Self.notes)))
    #expect(control.heard == ["2 {}"])
    #expect(fixture.broker.manifest == Self.notes)
    control.ask(ApplicationManifest())
    let reply = try #require(control.lastReply?.content as? ApplicationManifest.Reply)
    #expect("\(reply.manifest.json)".contains(#""name":"List""#))
  }

  @Test("an invalid manifest is refused with all its errors, and the old one stays")
  func refused() {
    let fixture = BrokerFixture(Self.notes)
    let control = fixture.control()
    control.ask(Reload())
    fixture.handle(.manifestRead(.refused(["app.json: a: b", "app.json: c: d"])))
    #expect(control.lastError == BrokerError(.requestDenied, "app.json: a: b\napp.json: c: d"))
    #expect(fixture.broker.manifest == Self.notes)
  }

  @Test("a long list of errors ends with the number of the others and where they are")
  func longRefusal() {
    let fixture = BrokerFixture(Self.notes)
    let control = fixture.control()
    control.ask(Reload())
    fixture.handle(
      .manifestRead(.refused((1...1000).map { "app.json: member\($0): is no member" })))
    let lines = control.lastError?.message.split(separator: "\n").map(String.init) ?? []
    #expect(lines.count > 50)
    #expect(lines.first == "app.json: member1: is no member")
    let rest = "and \(1001 - lines.count) more; the broker's log lists all, as does: "
    #expect(lines.last == rest + "scenectl manifest check built-in")
  }

  @Test("the broker can read its manifest again without a request")
  func bySignal() {
    fixture.handle(.manifestRead(.manifest(Self.notes)))
    fixture.handle(.manifestRead(.refused(["no"])))
    #expect(fixture.broker.manifest == Self.notes)
  }

  @Test("a shutdown refuses to read the manifest")
  func ending() {
    scene.ask(SceneConnect(name: "packing"))
    control.ask(Terminate())
    control.ask(Reload())
    #expect(control.lastError?.reason == .shuttingDown)
  }

  @Test("F15: a session whose configuration is gone gets the role's default and its lost name")
  func lostConfiguration() throws {
    let fixture = BrokerFixture(Self.notes)
    let first = fixture.client()
    first.ask(SceneConnect(name: "list", configuration: "List"))
    first.acknowledgeAll()
    fixture.handle(
      .manifestRead(
        .manifest(
          Manifest(
            supportsMultipleScenes: true,
            roles: [
              RoleConfigurations(
                role: .windowApplication, configurations: [SceneConfiguration(name: "Note")])
            ]))))
    #expect(fixture.broker.scenes.all.count == 1)
    first.close()
    let second = fixture.client()
    second.ask(SceneConnect(name: "list"))
    guard let message = try #require(second.callbacks.first).callback.message as? WillConnect else {
      Issue.record("no willConnect")
      return
    }
    #expect(message.missingConfiguration == "List")
    #expect(message.sceneSession.configuration.name == "Note")
  }

  @Test("a connect finds sessions by the configurations of the current manifest")
  func foundByConfiguration() {
    let fixture = BrokerFixture(Self.notes)
    let first = fixture.client()
    first.ask(SceneConnect(new: true, configuration: "List"))
    let session = fixture.broker.stored.sessions.keys.first
    first.close()
    var renamed = Self.notes
    renamed.roles[0].configurations = [
      SceneConfiguration(name: "Index"), SceneConfiguration(name: "Note"),
    ]
    fixture.handle(.manifestRead(.manifest(renamed)))
    let second = fixture.client()
    second.ask(SceneConnect(configuration: "Index"))
    #expect(fixture.broker.scenes.all.keys.first == session)
    #expect(fixture.broker.store.flaws.isEmpty)
  }
}
