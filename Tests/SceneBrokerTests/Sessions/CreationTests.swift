import SceneModel
import Testing

@testable import SceneBroker

/// The checks and the configuration of new sessions.
struct CreationTests {
  @Test("A6: an external display does not count as a second window")
  func oneOfEachRole() {
    var manifest = Manifest.hosting("Note")
    manifest.supportsMultipleScenes = false
    manifest.roles.append(.screen)
    let fixture = BrokerFixture(manifest)
    let scene = fixture.client()
    scene.ask(SceneConnect(name: "screen", role: .windowExternalDisplay))
    scene.acknowledgeAll()
    scene.become("packing")
    scene.ask(SceneConnect(name: "route"))
    #expect(
      scene.lastError?.message
        == "the manifest does not allow a second session: there is packing")
    scene.ask(SceneConnect(name: "other", role: .windowExternalDisplay))
    #expect(scene.lastError?.reason == .multipleScenesNotSupported)
  }

  @Test("without multiple scenes a second session is refused, until the first is gone")
  func singleScene() {
    let fixture = BrokerFixture(
      Manifest(
        roles: [
          RoleConfigurations(
            role: .windowApplication, configurations: [SceneConfiguration(name: "One")])
        ]))
    let (scene, other) = (fixture.client(), fixture.client())
    let session = scene.become("packing")
    #expect(
      other.hears(SceneConnect(new: true)) == ["2 multipleScenesNotSupported"])
    scene.ask(RequestDestruction(sessions: [session]))
    #expect(
      other.hears(SceneConnect(new: true)) == ["3 multipleScenesNotSupported"])
    scene.acknowledgeAll()
    #expect(other.hears(SceneConnect(new: true)).first == "4 S2 new launch 1")
  }

  @Test(
    "a second session of a window or of settings is refused",
    arguments: [ConfigurationKind.window, .settings])
  func single(kind: ConfigurationKind) {
    var manifest = Manifest.hosting("Single", kind: kind)
    manifest.roles[0].configurations.append(SceneConfiguration(name: "Many"))
    let fixture = BrokerFixture(manifest)
    let scene = fixture.client()
    scene.become(SceneConnect(new: true, configuration: "Single"))
    #expect(
      scene.hears(SceneConnect(new: true, configuration: "Single"))
        == ["3 multipleScenesNotSupported"])
    #expect(
      scene.hears(SceneConnect(new: true, configuration: "Many")).first
        == "4 S2 new launch 1")
  }

  @Test("the first configuration of a role is its default, also for an unknown name")
  func defaultConfiguration() {
    let fixture = BrokerFixture(.hosting("Note", "Tool"))
    let scene = fixture.client()
    for (asked, made) in [(nil, "Note"), ("Tool", "Tool"), ("Other", "Note")] {
      let session = scene.become(SceneConnect(new: true, configuration: asked))
      #expect(fixture.stored(session)?.attributes.configuration.name == made)
    }
  }

  @Test("a configuration of another role is an error, as is a role that has none")
  func roles() {
    var manifest = Manifest.hosting("Note")
    manifest.roles.append(.screen)
    let fixture = BrokerFixture(manifest)
    #expect(
      fixture.hears(SceneConnect(new: true, configuration: "Screen"))
        == "wrongRole the configuration Screen is for the role windowExternalDisplay, "
        + "not windowApplication; use that role, for example with --role windowExternalDisplay")
    #expect(
      fixture.hears(SceneConnect(new: true, role: Role(rawValue: "carPlay")))
        == "noConfiguration the manifest has no configuration for the role carPlay; its roles are "
        + "windowApplication, windowExternalDisplay")
    #expect(
      BrokerFixture().hears(SceneConnect(new: true, role: Role(rawValue: "foo")))
        == "noConfiguration the manifest has no configuration for the role foo; its only role is "
        + "windowApplication")
  }

  @Test("a full disk refuses new sessions, and connects the existing ones")
  func fullDisk() {
    let fixture = BrokerFixture()
    let scene = fixture.client()
    scene.become("packing")
    scene.ask(SceneDisconnect(session: SessionIdentifier(high: 0, low: 1)))
    fixture.handle(.storage(.full))
    #expect(scene.hears(SceneConnect(new: true)) == ["4 storageFull later"])
    #expect(scene.hears(SceneConnect(name: "packing")).first == "5 S1 restore 2")
    fixture.handle(.storage(.exhausted))
    scene.ask(SceneDisconnect(session: SessionIdentifier(high: 0, low: 1)))
    #expect(scene.hears(SceneConnect(name: "packing")) == ["7 storageFull later"])
    fixture.handle(.storage(.behind))
    #expect(scene.hears(SceneConnect(new: true)) == ["8 tooMany now"])
    fixture.handle(.storage(.ok))
    #expect(scene.hears(SceneConnect(new: true)).first == "9 S2 new launch 1")
  }
}
