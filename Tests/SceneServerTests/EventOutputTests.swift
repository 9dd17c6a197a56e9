import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// Events on their way out.
struct EventOutputTests {
  private func observed() -> (fixture: EventLoopFixture, poster: Connection, observer: Connection) {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    let fixture = EventLoopFixture(limits: limits)
    let (poster, observer) = (fixture.client(), fixture.client(pid: 2))
    fixture.send(EventObserve(topic: "news"), id: 1, from: observer)
    _ = fixture.take(observer)
    return (fixture, poster, observer)
  }

  /// Each iteration sends what the one before has made room for, and asks for the next at once.
  private func goOn(_ fixture: EventLoopFixture) {
    while let wakeUp = fixture.eventLoop.nextWakeUp, wakeUp <= fixture.now.monotonic {
      fixture.iterate()
    }
  }

  @Test("who does not read what it is sent costs no memory, and is sent the rest when it has read")
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

  @Test("who reads what it is sent is sent all of it, however much that is in the end")
  func prompt() {
    let (fixture, poster, observer) = observed()
    for number in 1...50 {
      fixture.send(EventPost(topic: "news", kind: "\(number)"), id: Int64(number), from: poster)
      goOn(fixture)
      #expect(fixture.take(observer).last?.contains(#""kind":"\#(number)""#) == true)
    }
  }

  @Test("an event leaves behind the reply to its post")
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
