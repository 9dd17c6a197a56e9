import SceneModel
import Testing

@testable import SceneBroker

/// A killed process lives on for a moment before its connection closes.
final class LivenessQueryTests: BrokerSuite {
  private lazy var holder = fixture.client()

  @Test("a connect waits for a holder that is about to end")
  func waits() {
    holder.become("packing")
    fixture.dying = [holder.process]
    #expect(other.hears(SceneConnect(name: "packing")) == [])
    holder.close()
    #expect(other.heard == ["2 S1 recover 2", "willConnect S1 recover 2"])
  }

  @Test("a connect without a name waits for the holder of a newer session that is about to end")
  func defaultPick() {
    holder.become("packing")
    fixture.dying = [holder.process]
    #expect(other.hears(SceneConnect()) == [])
    holder.close()
    #expect(other.heard.first == "2 S1 recover 2")
  }

  @Test("a connect without a name takes an older session if the newer holders live")
  func older() {
    let one = holder.become("one")
    holder.become("two")
    holder.ask(SceneDisconnect(session: one))
    holder.move(SessionIdentifier(high: 0, low: 2), .background)
    holder.ask(RequestActivation(session: SessionIdentifier(high: 0, low: 2)))
    #expect(other.hears(SceneConnect()).first == "2 S1 restore 2")
    #expect(fixture.livenessQueries.map { $0.processes.map(\.pid) } == [[holder.process.pid]])
  }

  @Test("the broker does not query holders of less recently used sessions")
  func lessRecent() {
    holder.become("one")
    let two = holder.become("two")
    holder.ask(SceneDisconnect(session: two))
    #expect(other.hears(SceneConnect()).first == "2 S2 restore 2")
    #expect(fixture.livenessQueries.isEmpty)
  }

  @Test("the broker queries each holder once, and at most 64 of them")
  func askedAbout() {
    for number in 0..<70 {
      let holder = fixture.client(pid: Int64(1000 + number))
      holder.become(SceneConnect(new: true))
      holder.become(SceneConnect(new: true))
    }
    fixture.client().ask(SceneConnect())
    let asked = fixture.livenessQueries.last?.processes.map(\.pid) ?? []
    #expect(asked == (1006..<1070).reversed().map { Int64($0) })
  }

  @Test("a session reserved for the requester is found behind more holders than are queried")
  func keptBehindHolders() {
    let before = BrokerFixture()
    let scene = before.client(pid: 50)
    scene.become("packing")
    var limits = Limits()
    limits.holdersAskedAbout = 1
    let fixture = before.crashed(living: [scene.process], limits: limits)
    for _ in 0..<3 { fixture.client().become(SceneConnect(new: true)) }
    #expect(fixture.client(pid: 50).hears(SceneConnect()).first == "2 S1 recover 2")
    #expect(fixture.livenessQueries.map(\.processes.count) == [1])
  }

  @Test("a holder that does not end within the timeout counts as alive")
  func patience() {
    holder.become("packing")
    fixture.dying = [holder.process]
    other.ask(SceneConnect(name: "packing"))
    other.ask(SceneConnect())
    fixture.pass(.seconds(5))
    #expect(
      other.heard == ["2 sessionInUse", "3 S3 new launch 1", "willConnect S3 new launch 1"])
  }

  @Test("requests that wait for one end are retried in the order of arrival")
  func inOrder() {
    let (holder, first, second) = (fixture.client(), fixture.client(), fixture.client())
    holder.become("packing")
    fixture.dying = [holder.process]
    first.ask(SceneConnect(name: "packing"))
    second.ask(SceneConnect(name: "packing"))
    holder.close()
    #expect(first.heard.first == "2 S1 recover 2")
    #expect(second.heard == ["2 sessionInUse"])
    #expect(fixture.timers.keys.allSatisfy { if case .livenessQuery = $0 { false } else { true } })
  }

  @Test("a waiting request is removed when its connection closes")
  func askerCloses() {
    let (holder, other) = (fixture.client(), fixture.control())
    holder.become("packing")
    fixture.dying = [holder.process]
    other.ask(SceneConnect(name: "packing"))
    other.close()
    #expect(fixture.timers.keys.allSatisfy { if case .livenessQuery = $0 { false } else { true } })
    holder.close()
    #expect(fixture.broker.scenes.all.isEmpty)
    #expect(fixture.broker.deferred.requests.isEmpty)
  }

  @Test("a waiting request gets an error when its session is discarded")
  func discarded() {
    let (holder, other, control) = (fixture.client(), fixture.client(), fixture.control())
    let session = holder.become("packing")
    fixture.dying = [holder.process]
    other.ask(SceneConnect(session: session))
    control.ask(RequestDestruction(sessions: [session]))
    holder.close()
    #expect(other.heard == ["2 sessionNotFound"])
    #expect(control.heard == ["2 {}"])
  }

  @Test("one connection has a limited number of waiting requests, also without identifiers")
  func limit() {
    let fixture = BrokerFixture(limits: .with(\.requestsInFlight, 3))
    let (holder, other) = (fixture.client(), fixture.client())
    holder.become("packing")
    fixture.dying = [holder.process]
    for _ in 0..<3 { other.tell(SceneConnect(name: "packing")) }
    #expect(other.hears(SceneConnect(name: "packing")) == ["2 tooMany later"])
    #expect(fixture.broker.deferred.requests.count == 3)
  }

  @Test("a shutdown refuses waiting requests")
  func shutdown() {
    holder.become("packing")
    fixture.dying = [holder.process]
    other.ask(SceneConnect(name: "packing"))
    fixture.terminate()
    #expect(other.heard == ["2 shuttingDown later"])
  }

  /// A session that is reserved for its holder before a crash, with a control and a host.
  private func kept() -> (BrokerFixture, ClientProcess, control: Client, host: Client) {
    let before = BrokerFixture()
    let scene = before.client(pid: 50)
    scene.become("packing")
    let fixture = before.crashed(living: [scene.process])
    return (fixture, scene.process, fixture.control(), fixture.client(hosts: ["*"]))
  }

  @Test("an activation finds a reserved session free if its holder is about to end")
  func activation() {
    let (fixture, holder, control, host) = kept()
    fixture.dying = [holder]
    #expect(control.hears(RequestActivation(name: "packing")) == [])
    #expect(host.heard == ["willConnect S1 activation 2"])
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("a liveness poll frees the reserved session that an activation waits for")
  func activationThatWaits() {
    let (fixture, holder, control, host) = kept()
    control.ask(RequestActivation(name: "packing"))
    fixture.pass(.seconds(2))
    #expect(host.heard == [])
    fixture.dying = [holder]
    fixture.pass(.seconds(1))
    #expect(host.heard == ["willConnect S1 activation 2"])
    #expect(fixture.broker.deferred.requests.isEmpty)
  }

  @Test("previous holders that no request waits for are not queried")
  func noWaiter() {
    let (fixture, holder, control, host) = kept()
    fixture.pass(.seconds(2))
    #expect(fixture.livenessQueries.isEmpty)
    control.ask(RequestActivation(name: "packing"))
    fixture.pass(.seconds(2))
    #expect(fixture.livenessQueries.count > 1)
    // The activation outlives its connection.
    control.close()
    #expect(host.heard == [])
    fixture.dying = [holder]
    fixture.pass(.seconds(1))
    #expect(host.heard == ["willConnect S1 activation 2"])
    let asked = fixture.livenessQueries.count
    fixture.pass(.seconds(3))
    #expect(fixture.livenessQueries.count == asked)
  }

  @Test("a take-over does not wait")
  func takeOver() {
    holder.become("packing")
    fixture.dying = [holder.process]
    #expect(
      other.hears(SceneConnect(name: "packing", takeOver: true)).first
        == "2 S1 recover 2")
    #expect(fixture.livenessQueries.isEmpty)
  }
}
