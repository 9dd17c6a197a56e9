import JSON
import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("Memory that is returned to the system")
struct MemoryTests {
  private let stage = Stage()

  private func rest() {
    stage.pass(MemoryMonitor.delay)
    stage.round()
  }

  private func fillAndDiscard() throws {
    let client = stage.client(as: .control)
    let text = #"{"x":"\#(String(repeating: "x", count: 60_000))"}"#
    let userInfo = CarriedObject(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
    for id in 1...150 {
      stage.send(SceneConnect(new: true, userInfo: userInfo), id: Int64(id), from: client)
      stage.keeper.sync()
      stage.round { stage.eventLoop.journalDidProgress() }
    }
    rest()
    #expect(stage.returns == 0)
    let sessions = stage.eventLoop.broker.stored.sessions.keys.sorted()
    stage.send(RequestDestruction(sessions: sessions), id: 999, from: client)
    stage.keeper.sync()
    stage.round {
      stage.eventLoop.journalDidProgress()
      stage.eventLoop.close(client, .connectionLost)
    }
    try #require(stage.eventLoop.broker.stored.sessions.isEmpty)
  }

  @Test("it is returned once after much was discarded, when the broker is idle")
  func once() throws {
    try fillAndDiscard()
    #expect(stage.returns == 0)
    rest()
    #expect(stage.returns == 1)
    for _ in 1...3 { rest() }
    #expect(stage.returns == 1)
    #expect(stage.eventLoop.nextWakeUp == nil)
  }

  @Test("a broker that is asked something returns it later")
  func busy() throws {
    try fillAndDiscard()
    let client = stage.client()
    stage.pass(MemoryMonitor.delay)
    stage.send(Ping(), id: 1, from: client)
    #expect(stage.returns == 0)
    rest()
    #expect(stage.returns == 1)
  }
}
