import SceneModel
import Testing

@testable import SceneBroker

/// An application that was made without scenes in mind.
struct ClassicTests {
  @Test("F2, F29: it has one session, made without being asked for")
  func oneSession() {
    let stage = Stage(.classic)
    #expect(stage.broker.stored.sessions.count == 1)
    #expect(stage.story.map(\.event) == [.created])
    // And not another one with each start.
    #expect(stage.crashed().broker.stored.sessions.count == 1)
  }

  @Test("the first client gets it, whatever its program")
  func anyClient() {
    let stage = Stage(.classic)
    let first = stage.client("notes")
    let session = first.become(SceneConnect())
    #expect(stage.broker.stored.sessions.keys.first == session)
    #expect(stage.state(session) == .foregroundActive)
    let second = stage.client("other")
    second.ask(.connect(SceneConnect()))
    #expect(second.lastError?.reason == .sessionInUse)
    first.close()
    #expect(second.become(SceneConnect()) == session)
  }

  @Test("F4, F29: there is no second one")
  func noSecond() {
    let stage = Stage(.classic)
    let client = stage.client()
    for message in [SceneConnect(new: true), SceneConnect(name: "packing")] {
      client.ask(.connect(message))
      #expect(client.lastError?.reason == .multipleScenesNotSupported)
    }
    client.ask(.activate(RequestActivation()))
    #expect(client.lastError?.reason == .multipleScenesNotSupported)
  }

  @Test("F27: clients are told", arguments: [true, false])
  func told(isClassic: Bool) {
    let stage = Stage(isClassic ? .classic : .builtIn)
    let client = stage.open()
    client.ask(.initialize(Initialize()))
    guard case .initialized(let reply) = client.lastReply else {
      Issue.record("it was not let in")
      return
    }
    #expect(reply.application.classic == isClassic)
  }
}
