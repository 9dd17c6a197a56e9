import SceneModel
import Testing

@testable import SceneBroker

/// An application that was made without scenes in mind.
struct ClassicTests {
  @Test("F2, F29: a classic application has one session from the start")
  func oneSession() {
    let fixture = BrokerFixture(.classic)
    #expect(fixture.broker.stored.sessions.count == 1)
    #expect(fixture.trace.map(\.event) == [.created])
    // And not another one with each start.
    #expect(fixture.crashed().broker.stored.sessions.count == 1)
  }

  @Test("the first client of any program gets the session of a classic application")
  func anyClient() {
    let fixture = BrokerFixture(.classic)
    let first = fixture.client("notes")
    let session = first.become(SceneConnect())
    #expect(fixture.broker.stored.sessions.keys.first == session)
    #expect(fixture.state(session) == .foregroundActive)
    let second = fixture.client("other")
    second.ask(SceneConnect())
    #expect(second.lastError?.reason == .sessionInUse)
    first.close()
    #expect(second.become(SceneConnect()) == session)
  }

  @Test("a classic application with several stored sessions uses the newest one", arguments: 0..<5)
  func severalStored(last: Int) {
    let before = BrokerFixture()
    let names = ["a", "b", "c", "d", "e"]
    var sessions: [SessionIdentifier] = []
    for name in names + [names[last]] {
      let client = before.client("notes")
      sessions.append(client.become(SceneConnect(name: name)))
      client.close()
    }
    let fixture = before.crashed(manifest: .classic)
    #expect(fixture.client("other").become(SceneConnect()) == sessions[last])
  }

  @Test("F4, F29: a classic application refuses a second session")
  func noSecond() {
    let fixture = BrokerFixture(.classic)
    let client = fixture.client()
    for message in [SceneConnect(new: true), SceneConnect(name: "packing")] {
      client.ask(message)
      #expect(client.lastError?.reason == .multipleScenesNotSupported)
    }
    client.ask(RequestActivation())
    #expect(client.lastError?.reason == .multipleScenesNotSupported)
  }

  @Test(
    "F27: the reply to initialize says whether the application is classic",
    arguments: [true, false])
  func told(isClassic: Bool) throws {
    let fixture = BrokerFixture(isClassic ? .classic : .builtIn)
    let client = fixture.open()
    client.ask(Initialize())
    let reply = try #require(client.lastReply?.content as? Initialize.Reply)
    #expect(reply.application.classic == isClassic)
  }
}
