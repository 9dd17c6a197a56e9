import SceneBroker
import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

@Suite("Errors of a send")
struct SendErrorTests {
  private let fixture = EventLoopFixture()
  private let client: Connection

  init() { client = fixture.client() }

  private func ask(while code: ErrorCode) {
    fixture.failures[client.identifier] = code
    fixture.send(Ping(), id: 1, from: client)
  }

  private func retry() {
    fixture.pass(OutputScheduler.resendDelay, iterations: 1)
  }

  @Test(
    "a reply is kept and sent again while the kernel lacks memory",
    arguments: [ErrorCode.noBuffers, .noMemory])
  func retried(code: ErrorCode) {
    ask(while: code)
    #expect(fixture.eventLoop.nextWakeUp != nil)
    retry()
    #expect(fixture.take(client).isEmpty)
    fixture.failures = [:]
    retry()
    #expect(fixture.take(client).count == 1)
    #expect(fixture.eventLoop.nextWakeUp == nil)
    #expect(client.output.resendCount == 0)
  }

  @Test("the broker closes a connection when the kernel finds no memory in time")
  func bounded() {
    fixture.send(SceneConnect(name: "packing"), id: 2, from: client)
    fixture.sync()
    ask(while: .noBuffers)
    var count = 0
    while fixture.connectionCount == 1, count < 2 * OutputScheduler.maxResends {
      retry()
      count += 1
    }
    #expect(count == OutputScheduler.maxResends)
    #expect(fixture.log.lines.last?.contains("closed") == true)
    let session = fixture.session
    #expect(session?.hold.end?.reason == .connectionLost)
  }

  @Test("any other error closes the connection", arguments: [ErrorCode.brokenPipe, .inputOutput])
  func closed(code: ErrorCode) {
    ask(while: code)
    #expect(fixture.connectionCount == 0)
  }
}
