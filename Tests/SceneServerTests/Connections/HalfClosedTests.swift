import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// Every request gets one reply, even if its client closed its sending side after the request.
struct HalfClosedTests {
  private let fixture = EventLoopFixture()
  private let holder: Connection
  private let asker: Connection

  /// A scene whose client does not answer its first callback, and a client that waits for the
  /// scene.
  init() {
    holder = fixture.client(pid: 1)
    asker = fixture.client(pid: 2, as: .control)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: holder)
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
  }

  private func ask(thenGone: Bool = false) {
    fixture.iterate {
      fixture.eventLoop.receive(EventLoopFixture.frame(Settle(), id: 7).span, from: asker)
      fixture.eventLoop.finish(asker, isGone: thenGone)
    }
  }

  /// Lets the holder answer all its callbacks.
  private func answerCallbacks() {
    while true {
      let numbers = fixture.take(holder).filter { $0.contains(#""method""#) }
        .compactMap { $0.firstMatch(of: /"id":([0-9]+)/).flatMap { Int64($0.1) } }
      guard !numbers.isEmpty else { return }
      for number in numbers {
        var writer = FrameWriter()
        writer.answer(.number(number), StateRestorationAnswer())
        fixture.send(writer.take(), from: holder)
      }
      fixture.sink.sync()
      fixture.iterate { fixture.eventLoop.journalDidProgress() }
    }
  }

  @Test("a waiting request gets its reply, and then the broker closes the connection")
  func answered() {
    ask()
    #expect(fixture.take(asker).isEmpty)
    #expect(fixture.eventLoop.connectionCount == 2)
    answerCallbacks()
    #expect(fixture.take(asker).last?.contains(#""id":7,"result""#) == true)
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("the broker does not keep a closed connection for a reply")
  func gone() {
    ask(thenGone: true)
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("the broker drops a waiting client at once when the client closes its connection")
  func hungUp() {
    ask()
    fixture.iterate { fixture.eventLoop.close(asker, .connectionLost) }
    #expect(fixture.eventLoop.connectionCount == 1)
    answerCallbacks()
    #expect(fixture.take(asker).isEmpty)
  }

  @Test("the broker does not keep a half-closed connection forever")
  func bounded() {
    ask()
    fixture.processes.debugged = [1]
    fixture.pass(EventLoop.replyTimeout)
    fixture.iterate()
    #expect(fixture.eventLoop.connectionCount == 1)
  }

  @Test("a holder that stopped sending keeps its scene until it gets its reply, and no longer")
  func holderItself() {
    fixture.iterate {
      fixture.eventLoop.receive(EventLoopFixture.frame(Settle(), id: 7).span, from: holder)
      fixture.eventLoop.finish(holder)
    }
    fixture.sink.sync()
    fixture.iterate { fixture.eventLoop.journalDidProgress() }
    #expect(fixture.take(holder).last?.contains(#""id":7,"result""#) == true)
    #expect(fixture.eventLoop.connectionCount == 1)
    #expect(fixture.eventLoop.broker.holdCount == 0)
  }
}
