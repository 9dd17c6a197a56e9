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
    stage.pass(OutputScheduler.resendDelay)
    stage.round()
  }

  @Test(
    "a reply is kept and sent again while the kernel lacks memory",
    arguments: [ErrorCode.noBuffers, .noMemory])
  func retried(code: ErrorCode) {
    ask(while: code)
    #expect(stage.eventLoop.nextWakeUp != nil)
    retry()
    #expect(stage.take(client).isEmpty)
    stage.failures = [:]
    retry()
    #expect(stage.take(client).count == 1)
    #expect(stage.eventLoop.nextWakeUp == nil)
    #expect(client.output.resendCount == 0)
  }

  @Test("the broker closes a connection when the kernel finds no memory in time")
  func bounded() {
    stage.send(SceneConnect(name: "packing"), id: 2, from: client)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    ask(while: .noBuffers)
    var count = 0
    while stage.eventLoop.connectionCount == 1, count < 2 * OutputScheduler.maxResends {
      retry()
      count += 1
    }
    #expect(count == OutputScheduler.maxResends)
    #expect(stage.log.lines.last?.contains("closed") == true)
    let session = stage.eventLoop.broker.stored.sessions.values.first
    #expect(session?.tenure.end?.reason == .connectionLost)
  }

  @Test("any other error closes the connection", arguments: [ErrorCode.brokenPipe, .inputOutput])
  func closed(code: ErrorCode) {
    ask(while: code)
    #expect(stage.eventLoop.connectionCount == 0)
  }
}
