import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// The output of events.
struct EventOutputTests {
  private func observed() -> (fixture: EventLoopFixture, poster: Connection, observer: Connection) {
    let fixture = EventLoopFixture(limits: .with(\.slowReaderBytes, 1000))
    let (poster, observer) = (fixture.client(), fixture.client(pid: 2))
    fixture.send(EventObserve(topic: "news"), id: 1, from: observer)
    _ = fixture.take(observer)
    return (fixture, poster, observer)
  }

  /// Runs iterations without a pause: each one uses the space that the previous one freed, and
  /// schedules the next.
  private func goOn(_ fixture: EventLoopFixture) {
    while let wakeUp = fixture.eventLoop.nextWakeUp, wakeUp <= fixture.now.monotonic {
      fixture.iterate()
    }
  }

  @Test("a client that does not read uses no memory, and gets the other events when it reads")
  func slow() {
    let (fixture, poster, observer) = observed()
    fixture.room[observer.identifier] = 0
    for number in 1...50 {
      fixture.send(EventPost(topic: "news", kind: "\(number)"), id: Int64(number), from: poster)
    }
    #expect(observer.outbox.byteCount < 1000)
    #expect(observer.output.slowness == .none)
    fixture.room[observer.identifier] = nil
    fixture.iterate { fixture.eventLoop.scheduleOutput(observer) }
    goOn(fixture)
    let texts = fixture.take(observer)
    #expect(texts.count == 50)
    #expect(texts.last?.contains(#""kind":"50""#) == true)
    #expect(!texts.contains { $0.contains("gap") })
  }

  @Test("a client that reads gets all events, however many there are")
  func prompt() {
    let (fixture, poster, observer) = observed()
    for number in 1...50 {
      fixture.send(EventPost(topic: "news", kind: "\(number)"), id: Int64(number), from: poster)
      goOn(fixture)
      #expect(fixture.take(observer).last?.contains(#""kind":"\#(number)""#) == true)
    }
  }

  @Test("an event leaves after the reply to its post")
  func order() {
    let fixture = EventLoopFixture()
    let client = fixture.client()
    fixture.send(EventObserve(topic: "news"), id: 1, from: client)
    fixture.send(EventPost(topic: "news"), id: 2, from: client)
    let texts = fixture.take(client)
    #expect(texts.suffix(2).first?.contains(#""id":2"#) == true)
    #expect(texts.last?.contains("event/posted") == true)
  }
}
