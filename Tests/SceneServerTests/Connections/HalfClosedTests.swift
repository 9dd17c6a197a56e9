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
    fixture.connectScene(from: holder)
  }

  private func ask(thenGone: Bool = false) {
    fixture.iterate {
      fixture.receive(Settle(), id: 7, from: asker)
      fixture.eventLoop.finish(asker, isGone: thenGone)
    }
  }

  @Test("a waiting request gets its reply, and then the broker closes the connection")
  func answered() {
    ask()
    #expect(fixture.take(asker).isEmpty)
    #expect(fixture.connectionCount == 2)
    fixture.answerCallbacks(of: holder)
    #expect(fixture.take(asker).last?.contains(#""id":7,"result""#) == true)
    #expect(fixture.connectionCount == 1)
  }

  @Test("the broker closes a half-closed connection after the last of its replies")
  func twoRequests() {
    fixture.eventLoop.beginUpgradeCheck = { nil }
    fixture.iterate {
      fixture.receive(Settle(), id: 7, from: asker)
      fixture.receive(BrokerUpgrade(), id: 8, from: asker)
      fixture.eventLoop.finish(asker)
    }
    fixture.answerCallbacks(of: holder)
    #expect(fixture.take(asker).last?.contains(#""id":7,"result""#) == true)
    #expect(fixture.connectionCount == 2)
    let problem = BrokerError(.requestDenied, "no")
    fixture.iterate { fixture.eventLoop.upgradeChecked(problem) }
    #expect(fixture.take(asker).last?.contains(#""id":8,"error""#) == true)
    #expect(fixture.connectionCount == 1)
  }

  @Test("the broker closes a half-closed connection without a request at once")
  func idle() {
    fixture.iterate { fixture.eventLoop.finish(asker) }
    #expect(fixture.connectionCount == 1)
  }

  @Test("the broker does not keep a closed connection for a reply")
  func gone() {
    ask(thenGone: true)
    #expect(fixture.connectionCount == 1)
  }

  @Test("the broker drops a waiting client at once when the client closes its connection")
  func hungUp() {
    ask()
    fixture.iterate { fixture.eventLoop.close(asker, .connectionLost) }
    #expect(fixture.connectionCount == 1)
    fixture.answerCallbacks(of: holder)
    #expect(fixture.take(asker).isEmpty)
  }

  @Test("the broker does not keep a half-closed connection forever")
  func bounded() {
    ask()
    fixture.processes.debugged = [1]
    fixture.pass(EventLoop.replyTimeout, iterations: 1)
    #expect(fixture.connectionCount == 1)
  }

  @Test("a holder that stopped sending keeps its scene until it gets its reply, and no longer")
  func holderItself() {
    fixture.iterate {
      fixture.receive(Settle(), id: 7, from: holder)
      fixture.eventLoop.finish(holder)
    }
    fixture.sync()
    #expect(fixture.take(holder).last?.contains(#""id":7,"result""#) == true)
    #expect(fixture.connectionCount == 1)
    #expect(fixture.eventLoop.broker.holdCount == 0)
  }
}
