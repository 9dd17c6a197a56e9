import SceneBroker
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("The return of memory to the system")
struct MemoryTests {
  private let fixture = EventLoopFixture()

  private func rest() {
    fixture.pass(MemoryMonitor.delay, iterations: 1)
  }

  private func fillAndDiscard() throws {
    let client = fixture.client(as: .control)
    let text = #"{"x":"\#(String(repeating: "x", count: 60_000))"}"#
    let userInfo = OpaqueObject(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
    for id in 1...150 {
      fixture.send(SceneConnect(new: true, userInfo: userInfo), id: Int64(id), from: client)
      fixture.sync()
    }
    rest()
    #expect(fixture.returns == 0)
    let sessions = fixture.eventLoop.broker.stored.sessions.keys.sorted()
    fixture.send(RequestDestruction(sessions: sessions), id: 999, from: client)
    fixture.sink.sync()
    fixture.iterate {
      fixture.eventLoop.journalDidProgress()
      fixture.eventLoop.close(client, .connectionLost)
    }
    try #require(fixture.eventLoop.broker.stored.sessions.isEmpty)
  }

  @Test("an idle broker returns memory once after many discards")
  func once() throws {
    try fillAndDiscard()
    #expect(fixture.returns == 0)
    rest()
    #expect(fixture.returns == 1)
    for _ in 1...3 { rest() }
    #expect(fixture.returns == 1)
    #expect(fixture.eventLoop.nextWakeUp == nil)
  }

  @Test("a broker that gets requests returns memory later")
  func busy() throws {
    try fillAndDiscard()
    let client = fixture.client()
    fixture.pass(MemoryMonitor.delay)
    fixture.send(Ping(), id: 1, from: client)
    #expect(fixture.returns == 0)
    rest()
    #expect(fixture.returns == 1)
  }
}
