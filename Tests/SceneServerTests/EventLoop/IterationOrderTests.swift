import SceneBroker
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

@Suite("Requests of several connections in one iteration")
struct IterationOrderTests {
  private let fixture = EventLoopFixture()
  private let activity = Activity(
    unchecked: RawJSON(unchecked: ContiguousArray(#"{"activityType":"a","userInfo":{}}"#.utf8)))

  /// A session on disk whose scene has answered all callbacks.
  private func session(_ name: String, of client: Connection) throws -> SessionIdentifier {
    fixture.send(SceneConnect(name: name), id: 1, from: client)
    settle()
    _ = fixture.take(client)
    return try #require(fixture.eventLoop.broker.stored.names[name])
  }

  private func settle() {
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
  }

  private func receive(_ message: some RequestMessage, id: Int64, from connection: Connection) {
    fixture.eventLoop.receive(EventLoopFixture.frame(message, id: id).span, from: connection)
  }

  @Test("the rules get requests in the order of their arrival", arguments: [true, false])
  func order(isMadeFirst: Bool) {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    fixture.iterate {
      if isMadeFirst { receive(SceneConnect(name: "packing"), id: 1, from: scene) }
      receive(SessionShow(name: "packing"), id: 1, from: control)
      if !isMadeFirst { receive(SceneConnect(name: "packing"), id: 1, from: scene) }
    }
    settle()
    let answer = fixture.take(control).first
    #expect(answer?.contains(#""result""#) == isMadeFirst)
    #expect(answer?.contains("sessionNotFound") == !isMadeFirst)
  }

  @Test("a reply has the state at its request, whatever later requests change")
  func answers() throws {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    let session = try session("packing", of: scene)
    fixture.iterate {
      receive(SessionShow(session: session), id: 1, from: scene)
      receive(SaveActivity(session: session, activity: activity), id: 1, from: control)
    }
    settle()
    #expect(
      fixture.take(scene).first { $0.contains(#""id":1"#) }?.contains(#""generation":0"#) == true)
    #expect(fixture.take(control).first?.contains(#""generation":1"#) == true)
  }

  @Test("an answer to a callback does not overtake the request of another connection")
  func answerAfterRequest() {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    fixture.send(SceneConnect(name: "packing"), id: 1, from: scene)
    settle()
    func shown(before answer: ContiguousArray<UInt8> = []) -> [String] {
      fixture.iterate {
        receive(SessionShow(name: "packing"), id: 1, from: control)
        fixture.eventLoop.receive(answer.span, from: scene)
      }
      settle()
      return fixture.take(control)
    }
    var writer = FrameWriter()
    writer.answer(.number(1), StateRestorationAnswer())
    let before = shown()
    #expect(before.count == 1)
    #expect(shown(before: writer.take()) == before)
    #expect(shown() != before)
  }

  @Test("requests get their replies before a connection is closed for a violation")
  func violation() {
    let (one, other) = (fixture.client(), fixture.client(pid: 2))
    fixture.iterate {
      receive(Ping(), id: 1, from: other)
      let bytes = EventLoopFixture.frame(Ping(), id: 1) + [9, 9, 9, 9]
      fixture.eventLoop.receive(bytes.span, from: one)
      fixture.eventLoop.close(other, .connectionLost)
    }
    let texts = fixture.take(one)
    #expect(texts.count == 2)
    #expect(texts.first?.contains(#""id":1,"result""#) == true)
    #expect(texts.last?.contains("invalidRequest") == true)
    #expect(fixture.eventLoop.connectionCount == 0)
  }

  @Test("a request counts before the end of its connection in the same iteration")
  func lastWords() throws {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    let session = try session("packing", of: scene)
    fixture.iterate {
      receive(SaveActivity(session: session, activity: activity), id: 2, from: scene)
      fixture.eventLoop.close(scene, .connectionLost)
    }
    fixture.send(SessionShow(session: session), id: 1, from: control)
    settle()
    #expect(fixture.take(control).first?.contains(#""generation":1"#) == true)
  }

  @Test("requests with immediate replies do not reach the limit of waiting requests")
  func pipelined() {
    var limits = Limits()
    limits.requestsInFlight = 2
    let fixture = EventLoopFixture(limits: limits)
    let client = fixture.client()
    var bytes: ContiguousArray<UInt8> = []
    for id in 1...5 { bytes += EventLoopFixture.frame(Ping(), id: Int64(id)) }
    fixture.send(bytes, from: client)
    let texts = fixture.take(client)
    #expect(texts.count == 5)
    #expect(texts.allSatisfy { $0.contains(#""result""#) })
  }
}
