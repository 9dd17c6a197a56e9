import SceneBroker
import SceneModel
import SceneWire
import Testing

@testable import SceneServer

/// Every request gets one reply, also that of a client that shuts its sending side behind it.
struct HalfClosedTests {
  private let stage = Stage()
  private let holder: Connection
  private let asker: Connection

  /// A scene whose client does not answer its first callback, and a client that waits for that.
  init() {
    holder = stage.client(pid: 1)
    asker = stage.client(pid: 2, as: .control)
    stage.send(SceneConnect(name: "packing"), id: 1, from: holder)
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
  }

  private func ask(thenGone: Bool = false) {
    stage.round {
      stage.eventLoop.receive(Stage.frame(Settle(), id: 7).span, from: asker)
      stage.eventLoop.finish(asker, isGone: thenGone)
    }
  }

  /// The holder answers all that it is asked.
  private func answerCallbacks() {
    while true {
      let numbers = stage.take(holder).filter { $0.contains(#""method""#) }
        .compactMap { $0.firstMatch(of: /"id":([0-9]+)/).flatMap { Int64($0.1) } }
      guard !numbers.isEmpty else { return }
      for number in numbers {
        var writer = FrameWriter()
        writer.answer(.number(number), StateRestorationAnswer())
        stage.send(writer.take(), from: holder)
      }
      stage.keeper.sync()
      stage.round { stage.eventLoop.journalDidProgress() }
    }
  }

  @Test("what waits is answered when its time has come, and then the connection is left")
  func answered() {
    ask()
    #expect(stage.take(asker).isEmpty)
    #expect(stage.eventLoop.connectionCount == 2)
    answerCallbacks()
    #expect(stage.take(asker).last?.contains(#""id":7,"result""#) == true)
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("a closed connection is not kept for a reply that no client reads")
  func gone() {
    ask(thenGone: true)
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("a client that closes its connection while it waits is dropped at once")
  func hungUp() {
    ask()
    stage.round { stage.eventLoop.close(asker, .connectionLost) }
    #expect(stage.eventLoop.connectionCount == 1)
    answerCallbacks()
    #expect(stage.take(asker).isEmpty)
  }

  @Test("a half-closed connection is not kept for ever")
  func bounded() {
    ask()
    stage.processes.debugged = [1]
    stage.pass(EventLoop.patienceWithQuestions)
    stage.round()
    #expect(stage.eventLoop.connectionCount == 1)
  }

  @Test("a holder that says no more keeps its scene until it is answered, and no longer")
  func holderItself() {
    stage.round {
      stage.eventLoop.receive(Stage.frame(Settle(), id: 7).span, from: holder)
      stage.eventLoop.finish(holder)
    }
    stage.keeper.sync()
    stage.round { stage.eventLoop.journalDidProgress() }
    #expect(stage.take(holder).last?.contains(#""id":7,"result""#) == true)
    #expect(stage.eventLoop.connectionCount == 1)
    #expect(stage.eventLoop.broker.holdCount == 0)
  }
}
