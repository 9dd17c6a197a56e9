import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

/// More time for a callback that waits for the disk. Its budget has not started, and so the
/// additional time has not started either.
struct ExtensionTests {
  private let fixture = EventLoopFixture()
  private let budget = Manifest.builtIn.budgets.connect

  /// A client whose `willConnect` waits for the disk.
  private func waiting() throws -> SessionIdentifier {
    fixture.send(SceneConnect(name: "packing"), id: 1, from: fixture.client())
    return try #require(fixture.eventLoop.broker.stored.sessions.keys.first)
  }

  private func extend(_ session: SessionIdentifier, seconds: Double) {
    let control = fixture.client(pid: 2, as: .control)
    fixture.send(SceneExtend(session: session, seconds: seconds), id: 1, from: control)
  }

  /// Whether the scene still exists after this time.
  private func lasts(_ time: Interval) -> Bool {
    fixture.pass(time, iterations: 2)
    return fixture.session?.hold.end == nil
  }

  @Test("additional time starts when the callback leaves")
  func begins() throws {
    extend(try waiting(), seconds: 600)
    #expect(lasts(.seconds(590)))
    fixture.sync()
    #expect(lasts(.seconds(599)))
    #expect(!lasts(.seconds(1)))
  }

  @Test("less time than the budget has no effect")
  func shorter() throws {
    extend(try waiting(), seconds: 1)
    #expect(lasts(.seconds(60)))
    fixture.sync()
    #expect(lasts(budget.minus(.seconds(1))))
    #expect(!lasts(.seconds(1)))
  }

  @Test("the longest of several extensions counts")
  func longest() throws {
    let session = try waiting()
    extend(session, seconds: 600)
    extend(session, seconds: 30)
    fixture.sync()
    #expect(lasts(.seconds(599)))
    #expect(!lasts(.seconds(1)))
  }

  @Test("an extension counts if it arrives in the iteration in which the callback leaves")
  func sameRound() throws {
    let session = try waiting()
    let control = fixture.client(pid: 2, as: .control)
    fixture.sink.sync()
    fixture.iterate {
      fixture.eventLoop.journalDidProgress()
      let frame = EventLoopFixture.frame(SceneExtend(session: session, seconds: 600), id: 1)
      fixture.eventLoop.receive(frame.span, from: control)
    }
    #expect(lasts(.seconds(599)))
    #expect(!lasts(.seconds(1)))
  }
}

extension Interval {
  fileprivate func minus(_ other: Interval) -> Interval {
    Interval(nanoseconds: nanoseconds - other.nanoseconds)
  }
}
