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
    fixture.sync()
    _ = fixture.take(client)
    return try #require(fixture.eventLoop.broker.stored.names[name])
  }

  @Test("the rules get requests in the order of their arrival", arguments: [true, false])
  func order(isMadeFirst: Bool) {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    fixture.iterate {
      if isMadeFirst { fixture.receive(SceneConnect(name: "packing"), id: 1, from: scene) }
      fixture.receive(SessionShow(name: "packing"), id: 1, from: control)
      if !isMadeFirst { fixture.receive(SceneConnect(name: "packing"), id: 1, from: scene) }
    }
    fixture.sync()
    let answer = fixture.take(control).first
    #expect(answer?.contains(#""result""#) == isMadeFirst)
    #expect(answer?.contains("sessionNotFound") == !isMadeFirst)
  }

  @Test("a reply has the state at its request, whatever later requests change")
  func answers() throws {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    let session = try session("packing", of: scene)
    fixture.iterate {
      fixture.receive(SessionShow(session: session), id: 1, from: scene)
      fixture.receive(SaveActivity(session: session, activity: activity), id: 1, from: control)
    }
    fixture.sync()
    #expect(
      fixture.take(scene).first { $0.contains(#""id":1"#) }?.contains(#""generation":0"#) == true)
    #expect(fixture.take(control).first?.contains(#""generation":1"#) == true)
  }

  @Test("an answer to a callback does not overtake the request of another connection")
  func answerAfterRequest() {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    fixture.send(SceneConnect(name: "packing"), id: 1, from: scene)
    fixture.sync()
    func shown(before answer: ContiguousArray<UInt8> = []) -> [String] {
      fixture.iterate {
        fixture.receive(SessionShow(name: "packing"), id: 1, from: control)
        fixture.eventLoop.receive(answer.span, from: scene)
      }
      fixture.sync()
      return fixture.take(control)
    }
    let before = shown()
    #expect(before.count == 1)
    #expect(shown(before: EventLoopFixture.answer(to: 1)) == before)
    #expect(shown() != before)
  }

  @Test("requests get their replies before a connection is closed for a violation")
  func violation() {
    let (one, other) = (fixture.client(), fixture.client(pid: 2))
    fixture.iterate {
      fixture.receive(Ping(), id: 1, from: other)
      let bytes = EventLoopFixture.frame(Ping(), id: 1) + [9, 9, 9, 9]
      fixture.eventLoop.receive(bytes.span, from: one)
      fixture.eventLoop.close(other, .connectionLost)
    }
    let texts = fixture.take(one)
    #expect(texts.count == 2)
    #expect(texts.first?.contains(#""id":1,"result""#) == true)
    #expect(texts.last?.contains("invalidRequest") == true)
    #expect(fixture.connectionCount == 0)
  }

  @Test("a request counts before the end of its connection in the same iteration")
  func lastWords() throws {
    let (scene, control) = (fixture.client(), fixture.client(pid: 2, as: .control))
    let session = try session("packing", of: scene)
    fixture.iterate {
      fixture.receive(SaveActivity(session: session, activity: activity), id: 2, from: scene)
      fixture.eventLoop.close(scene, .connectionLost)
    }
    fixture.send(SessionShow(session: session), id: 1, from: control)
    fixture.sync()
    #expect(fixture.take(control).first?.contains(#""generation":1"#) == true)
  }

  @Test("requests with immediate replies do not reach the limit of waiting requests")
  func pipelined() {
    let fixture = EventLoopFixture(limits: .with(\.requestsInFlight, 2))
    let client = fixture.client()
    var bytes: ContiguousArray<UInt8> = []
    for id in 1...5 { bytes += EventLoopFixture.frame(Ping(), id: Int64(id)) }
    fixture.send(bytes, from: client)
    let texts = fixture.take(client)
    #expect(texts.count == 5)
    #expect(texts.allSatisfy { $0.contains(#""result""#) })
  }
}
