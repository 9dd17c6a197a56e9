import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// Events on their way out.
struct EventOutputTests {
  private func observed() -> (stage: Stage, poster: Connection, observer: Connection) {
    var limits = Limits()
    limits.slowReaderBytes = 1000
    let stage = Stage(limits: limits)
    let (poster, observer) = (stage.client(), stage.client(pid: 2))
    stage.send(EventObserve(topic: "news"), id: 1, from: observer)
    _ = stage.take(observer)
    return (stage, poster, observer)
  }

  /// Each round sends what the one before has made room for, and asks for the next at once.
  private func goOn(_ stage: Stage) {
    while let wakeUp = stage.eventLoop.nextWakeUp, wakeUp <= stage.now.monotonic { stage.round() }
  }

  @Test("who does not read what it is sent costs no memory, and is sent the rest when it has read")
  func slow() {
    let (stage, poster, observer) = observed()
    stage.room[observer.identifier] = 0
    for number in 1...50 {
      stage.send(EventPost(topic: "news", kind: "\(number)"), id: Int64(number), from: poster)
    }
    #expect(observer.outbox.byteCount < 1000)
    #expect(observer.output.slowness == .none)
    stage.room[observer.identifier] = nil
    stage.round { stage.eventLoop.scheduleOutput(observer) }
    goOn(stage)
    let texts = stage.take(observer)
    #expect(texts.count == 50)
    #expect(texts.last?.contains(#""kind":"50""#) == true)
    #expect(!texts.contains { $0.contains("gap") })
  }

  @Test("who reads what it is sent is sent all of it, however much that is in the end")
  func prompt() {
    let (stage, poster, observer) = observed()
    for number in 1...50 {
      stage.send(EventPost(topic: "news", kind: "\(number)"), id: Int64(number), from: poster)
      goOn(stage)
      #expect(stage.take(observer).last?.contains(#""kind":"\#(number)""#) == true)
    }
  }

  @Test("an event leaves behind the reply to its post")
  func order() {
    let stage = Stage()
    let client = stage.client()
    stage.send(EventObserve(topic: "news"), id: 1, from: client)
    stage.send(EventPost(topic: "news"), id: 2, from: client)
    let texts = stage.take(client)
    #expect(texts.suffix(2).first?.contains(#""id":2"#) == true)
    #expect(texts.last?.contains("event/posted") == true)
  }
}
