import SceneModel
import Testing

@testable import SceneBroker

/// Lines about the stored sessions, for the log.
final class SessionReviewTests: BrokerSuite {
  @Test("a configuration that the manifest no longer has is named once, with its sessions")
  func configurations() {
    let before = BrokerFixture(.hosting("Note", "Tool"))
    for name in ["a", "b"] {
      before.client().become(SceneConnect(name: name, configuration: "Tool"))
    }
    #expect(before.broker.missingConfigurations() == [])
    #expect(
      before.crashed(manifest: .hosting("Note")).broker.missingConfigurations() == [
        "2 sessions have the configuration Tool, which the manifest does not have; the broker "
          + "uses Note"
      ])
  }

  @Test("100 closed sessions are reported; sessions that a reopen opens do not count")
  func closed() {
    for number in 0..<100 {
      let client = fixture.client()
      let session = client.become("\(number)")
      if number > 0 { client.move(session, .unattached) }
      client.acknowledgeAll()
      client.close()
    }
    #expect(fixture.broker.closedSessions() == nil)
    let client = fixture.client()
    client.move(client.become("last"), .unattached)
    client.acknowledgeAll()
    #expect(
      fixture.broker.closedSessions()
        == "100 sessions are closed; to discard those without a client for 30 days: "
        + "scenectl discard --unattached --older-than 30d")
  }

  @Test("settings and windows with reopen false do not come back")
  func reopening() throws {
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.roles[0].configurations.append(SceneConfiguration(name: "Settings", kind: .settings))
    var tool = ConfigurationPolicies()
    tool.reopens = false
    manifest.roles[0].policies = ["Tool": tool]
    let fixture = BrokerFixture(manifest)
    for name in ["Note", "Tool", "Settings"] {
      let client = fixture.client(name)
      client.become(SceneConnect(name: name, configuration: name))
      client.close()
    }
    let control = fixture.control()
    control.ask(SessionList(wasOpen: true))
    let list = try #require(control.lastReply?.content as? SessionList.Reply)
    #expect(list.sessions.map(\.name) == ["Note"])
  }
}
