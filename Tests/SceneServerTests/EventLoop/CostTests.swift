import SceneBroker
import SceneJSON
import SceneModel
import SceneServer
import SceneWire
import Testing

/// The cost of requests, counted and not timed: a count is the same on every machine.
@Suite("The cost of requests")
struct CostTests {
  private let fixture = EventLoopFixture()
  private let client: Connection
  private let session: SessionIdentifier

  init() throws {
    client = fixture.client(as: .control)
    fixture.send(SceneConnect(new: true), id: 1, from: client)
    session = try #require(fixture.eventLoop.broker.stored.sessions.keys.first)
    fixture.sync()
    fixture.answerCallbacks(of: client)
  }

  @Test("without input, nothing wakes the broker")
  func idle() {
    #expect(fixture.eventLoop.broker.stored.sessions[session]?.hold.end == nil)
    #expect(fixture.eventLoop.nextWakeUp == nil)
  }

  private func activity(_ number: Int) -> Activity {
    let text = #"{"activityType":"a","userInfo":{"n":\#(number)}}"#
    return Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }

  @Test("the saves of an iteration are one submission, and each client gets its reply in one send")
  func saves() {
    let clients = (1...64).map { fixture.client(pid: $0, as: .control) }
    let (submissions, sends) = (fixture.sink.submissions.count, fixture.sends)
    fixture.iterate {
      for (number, client) in clients.enumerated() {
        let message = SaveActivity(session: session, activity: activity(number))
        fixture.receive(message, id: 1, from: client)
      }
    }
    #expect(fixture.sink.submissions.count == submissions + 1)
    #expect(fixture.sends == sends, "no reply leaves before the save is on disk")
    fixture.sync()
    #expect(fixture.sink.submissions.count == submissions + 1)
    #expect(fixture.sends == sends + clients.count)
  }
}
