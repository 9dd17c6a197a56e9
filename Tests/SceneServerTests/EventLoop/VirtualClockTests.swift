import SceneBroker
import SceneJSON
import SceneJournal
import SceneModel
import ScenePlatform
import Testing

@testable import SceneServer

/// A clock that moves only on command, with real processes.
struct VirtualClockTests {
  private let fixture = EventLoopFixture(clock: .virtual)

  /// A scene whose client has not answered its first callback.
  private func hungScene() -> Connection {
    let client = fixture.client(pid: 10)
    fixture.connectScene(from: client)
    return client
  }

  private var end: DisconnectOutcome? {
    fixture.session?.hold.end
  }

  private func advance(_ control: Connection, _ seconds: Double, id: Int64 = 1) {
    fixture.send(AdvanceClock(seconds: seconds), id: id, from: control)
  }

  /// Iterations without input, for more real time than any wait for a client lasts.
  private func wait() {
    for _ in 0..<50 {
      fixture.pass(.milliseconds(5))
      fixture.sink.sync()
      fixture.iterate {
        if fixture.sink.status.durable > 0 { fixture.eventLoop.journalDidProgress() }
      }
      fixture.iterate()
    }
  }

  @Test("the virtual clock stands still, however long the machine runs")
  func standsStill() {
    _ = hungScene()
    let before = fixture.eventLoop.now
    fixture.pass(.seconds(3600))
    wait()
    #expect(end == nil)
    #expect(fixture.eventLoop.now == before)
  }

  @Test("the clock moves as requested, with the wall clock, and the reply comes at its new time")
  func goesOn() {
    let control = fixture.client(as: .control)
    let before = fixture.eventLoop.now
    advance(control, 20)
    advance(control, 0.5, id: 2)
    wait()
    let replies = fixture.take(control)
    #expect(replies.count == 2 && replies[0].contains(#""id":1,"result""#))
    #expect(fixture.eventLoop.now.monotonic - before.monotonic == 20_500_000_000)
    #expect(fixture.eventLoop.now.wall - before.wall == 20_500)
  }

  @Test("a client that does not answer exceeds its budget exactly at the end of the budget")
  func overruns() {
    _ = hungScene()
    let control = fixture.client(pid: 2, as: .control)
    let before = fixture.eventLoop.now.wall
    advance(control, 19.9)
    wait()
    #expect(end == nil)
    advance(control, 1000, id: 2)
    wait()
    #expect(end == DisconnectOutcome(reason: .watchdog, callback: "willConnect"))
    let used = fixture.session?.hold.used
    #expect(used == before + 20_000)
    #expect(fixture.take(control).count == 2)
  }

  @Test("the clock waits for a busy client")
  func busy() {
    let client = hungScene()
    let control = fixture.client(pid: 2, as: .control)
    fixture.processes.activities[10] = ProcessActivity(.running, runs: 1)
    advance(control, 1000)
    wait()
    #expect(end == nil)
    // The process is idle now and then, but it continues to work.
    for runs in UInt64(2)..<20 {
      fixture.processes.activities[10] = ProcessActivity(.resting, runs: runs)
      fixture.pass(.milliseconds(40), iterations: 1)
    }
    #expect(end == nil)
    #expect(fixture.take(control).isEmpty)
    fixture.processes.activities[10] = ProcessActivity(.stopped, runs: 20)
    wait()
    #expect(end?.reason == .watchdog)
    #expect(fixture.take(control).count == 1)
    _ = client
  }

  @Test("a stopped client that is paused does not stop the clock")
  func paused() {
    let client = hungScene()
    fixture.room[client.identifier] = 0
    var requests: ContiguousArray<UInt8> = []
    for id in 2...101 { requests += EventLoopFixture.frame(Describe(), id: Int64(id)) }
    fixture.send(requests, from: client)
    for _ in 1...10 { fixture.iterate() }
    #expect(client.isPaused && !client.input.held.isEmpty)
    fixture.processes.activities[10] = ProcessActivity(.stopped, runs: 1)
    let control = fixture.client(pid: 2, as: .control)
    advance(control, 1000)
    wait()
    #expect(end?.reason == .watchdog)
    #expect(fixture.take(control).count == 1)
  }

  @Test("the clock waits until a client that runs has read its callback")
  func unread() {
    let client = fixture.client(pid: 10)
    fixture.room[client.identifier] = 0
    fixture.connectScene(from: client)
    let control = fixture.client(pid: 2, as: .control)
    advance(control, 1000)
    wait()
    #expect(end == nil)
    fixture.room[client.identifier] = nil
    fixture.iterate { fixture.eventLoop.scheduleOutput(client) }
    wait()
    #expect(end?.reason == .watchdog)
  }

  @Test("the clock waits for replies that wait for the disk")
  func unsynced() throws {
    let client = hungScene()
    fixture.answerCallbacks(of: client)
    let session = try #require(fixture.session?.attributes.identifier)
    let activity = Activity(
      unchecked: RawJSON(unchecked: .init(#"{"activityType":"a","userInfo":{}}"#.utf8)))
    fixture.send(SaveActivity(session: session, activity: activity), id: 5, from: client)
    let before = fixture.eventLoop.now
    let control = fixture.client(pid: 2, as: .control)
    advance(control, 1000)
    for _ in 1...50 { fixture.pass(.milliseconds(5), iterations: 1) }
    #expect(fixture.eventLoop.now == before)
    #expect(fixture.take(client).isEmpty)
    wait()
    #expect(fixture.eventLoop.now.monotonic - before.monotonic == 1_000_000_000_000)
  }

  @Test("a very large advance does not overflow the clock")
  func farAway() {
    let control = fixture.client(as: .control)
    for id in Int64(1)...400 {
      advance(control, 31_536_000, id: id)
      fixture.iterate()
    }
    wait()
    #expect(fixture.take(control).count == 400)
    _ = hungScene()
    #expect(fixture.connectionCount == 2)
  }

  @Test("the timeouts of a connection use the machine's clock")
  func wireIsReal() {
    let silent = fixture.connect(pid: 3)
    fixture.pass(.seconds(Int64(Limits().handshakeSeconds)), iterations: 2)
    #expect(fixture.take(silent).first?.contains("notInitialized") == true)
  }

  @Test("the timeout of a shutdown uses the machine's clock")
  func endIsReal() {
    _ = hungScene()
    fixture.iterate { fixture.eventLoop.terminate() }
    fixture.pass(.seconds(4))
    wait()
    #expect(fixture.eventLoop.isStopping)
  }
}
