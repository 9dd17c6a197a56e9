import SceneBroker
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

@Suite("Errors of a send")
struct SendErrorTests {
  private let stage = Stage()
  private let client: Connection

  init() { client = stage.client() }

  private func ask(while code: ErrorCode) {
    stage.failures[client.identifier] = code
    stage.send(Ping(), id: 1, from: client)
  }

  private func retry() {
    stage.pass(Switchboard.resendPause)
    stage.round()
  }

  @Test(
    "a reply is kept and sent again while the kernel lacks memory",
    arguments: [ErrorCode.noBuffers, .noMemory])
  func retried(code: ErrorCode) {
    ask(while: code)
    #expect(stage.switchboard.nextWakeUp != nil)
    retry()
    #expect(stage.take(client).isEmpty)
    stage.failures = [:]
    retry()
    #expect(stage.take(client).count == 1)
    #expect(stage.switchboard.nextWakeUp == nil)
    #expect(client.resendCount == 0)
  }

  @Test("the broker closes a connection when the kernel finds no memory in time")
  func bounded() {
    stage.send(SceneConnect(name: "packing"), id: 2, from: client)
    stage.keeper.sync()
    stage.round { stage.switchboard.learn() }
    ask(while: .noBuffers)
    var count = 0
    while stage.switchboard.connectionCount == 1, count < 2 * Switchboard.mostResends {
      retry()
      count += 1
    }
    #expect(count == Switchboard.mostResends)
    #expect(stage.log.lines.last?.contains("closed") == true)
    let session = stage.switchboard.broker.stored.sessions.values.first
    #expect(session?.tenure.end?.reason == .connectionLost)
  }

  @Test("what a disconnected client said last counts, though the broker had not read it")
  func lastSave() throws {
    stage.send(SceneConnect(name: "packing"), id: 2, from: client)
    stage.keeper.sync()
    stage.round { stage.switchboard.learn() }
    let session = try #require(stage.switchboard.broker.stored.sessions.keys.first)
    stage.rest[client.identifier] = Stage.frame(
      SaveActivity(session: session, activity: try Activity(givenType: "note", json: "{}")), id: 3)
    ask(while: .brokenPipe)
    #expect(stage.switchboard.connectionCount == 0)
    #expect(stage.switchboard.broker.stored[session]?.activity?.type == "note")
  }

  @Test("any other error closes the connection", arguments: [ErrorCode.brokenPipe, .inputOutput])
  func closed(code: ErrorCode) {
    ask(while: code)
    #expect(stage.switchboard.connectionCount == 0)
  }
}
