import SceneModel
import Testing

@testable import SceneBroker

struct PendingActivationsTests {
  private let session = SessionIdentifier(high: 0, low: 1)
  private var pending = PendingActivations()

  private func requester(_ connection: UInt64) -> Requester {
    Requester(connection: ConnectionIdentifier(connection), request: .number(Int64(connection)))
  }

  private mutating func add(
    _ connection: UInt64, _ kind: ActivationWaiter.Kind = .activation(isNew: false),
    delivery: Int64? = nil
  ) {
    _ = pending.add(
      ActivationWaiter(requester: requester(connection), kind: kind, delivery: delivery),
      to: session, nil)
  }

  /// Each reply as the number of its connection and a word.
  private func lines(_ replies: [WaiterReply]) -> [String] {
    replies.map { due in
      let word =
        switch due.content {
        case .reply(let reply), .batch(let reply):
          switch reply.content {
          case let reply as SceneTransition.Reply: "\(reply.state)"
          case is RequestActivation.Reply: "activated"
          case let reply as Reclaim.Reply: "reclaimed \(reply.sessions.count)"
          case let reply as RequestRefresh.Reply: "refreshed \(reply.sessions.count)"
          default: "another reply"
          }
        case .failed: "failed"
        }
      return "\(due.requester.connection.number) \(word)"
    }
  }

  private func callback(_ number: Int) -> Callback {
    Callback(
      .openURLContexts, OpenURLContexts(session: session, urlContexts: [url("note:\(number)")]))
  }

  private mutating func openBatch(_ connection: UInt64, _ reply: BrokerReply) -> UInt64 {
    pending.openBatch(requester(connection), reply, count: 1)
  }

  private var reclaim: BrokerReply { BrokerReply(Reclaim.Reply(sessions: [session])) }
  private var refresh: BrokerReply { BrokerReply(RequestRefresh.Reply(sessions: [session])) }

  // MARK: - Waiters

  @Test("a waiter of the scene's own client gets its reply at once, another one waits")
  mutating func ownClient() {
    let scene = SceneStateMachine(
      session, holder: ConnectionIdentifier(1), hold: 1, resumedIn: .background,
      target: .foregroundActive)
    for connection in UInt64(1)...2 {
      let waiter = ActivationWaiter(requester: requester(connection), kind: .transition)
      let reply = pending.add(waiter, to: session, scene)
      #expect(lines([reply].compactMap { $0 }) == (connection == 1 ? ["1 background"] : []))
    }
    #expect(pending.waiters(of: session).map(\.requester) == [requester(2)])
  }

  @Test("every waiter gets its reply when the scene is at its target, and no work is left")
  mutating func completed() {
    add(1, .transition)
    add(2)
    add(3, .batch(openBatch(3, reclaim)))
    #expect(
      lines(pending.completed(session, in: .background))
        == ["1 background", "2 activated", "3 reclaimed 0"])
    #expect(pending.sessions.isEmpty && pending.flaws.isEmpty)
    #expect(pending.completed(session, in: .background).isEmpty)
  }

  @Test("a new target answers all but those that wait for a delivery or a refresh")
  mutating func superseded() {
    add(1, .transition)
    let delivery = pending.deliver([callback(1)], to: session)
    add(2, delivery: delivery)
    add(3, .refresh(openBatch(3, refresh)))
    #expect(lines(pending.superseded(session, in: .foregroundInactive)) == ["1 foregroundInactive"])
    #expect(pending.waiters(of: session).map(\.isSuperseded) == [true, false])
    #expect(pending.nextDelivery(to: session, atRest: true)?.completes == delivery)
    let reply = pending.delivered(delivery, to: session, in: .background)
    #expect(lines([reply].compactMap(\.self)) == ["2 activated"])
    #expect(lines(pending.completed(session, in: .background)) == ["3 refreshed 1"])
    #expect(pending.sessions.isEmpty && pending.flaws.isEmpty)
  }

  @Test("a delivery that is acknowledged in time leaves its waiter to the target")
  mutating func delivered() {
    let delivery = pending.deliver([callback(1)], to: session)
    add(1, delivery: delivery)
    _ = pending.nextDelivery(to: session, atRest: true)
    #expect(pending.delivered(delivery, to: session, in: .background) == nil)
    #expect(lines(pending.superseded(session, in: .background)) == ["1 activated"])
  }

  @Test(
    "the end of a scene fails activations, and counts for a batch unless it is held again",
    arguments: [false, true])
  mutating func ended(isHeldAgain: Bool) {
    add(1, .transition)
    add(2)
    add(3, .batch(openBatch(3, reclaim)))
    add(4, .refresh(openBatch(4, refresh)))
    _ = pending.deliver([callback(1)], to: session)
    #expect(
      lines(pending.ended(session, isHeldAgain: isHeldAgain))
        == [
          "1 unattached", "2 failed", "3 reclaimed \(isHeldAgain ? 0 : 1)", "4 refreshed 0",
        ])
    #expect(pending.sessions.isEmpty && pending.flaws.isEmpty)
  }

  @Test("activations of a discarded session are removed, other waiters stay")
  mutating func removed() {
    add(1, .transition)
    add(2)
    #expect(pending.removeActivations(of: session) == [requester(2)])
    #expect(pending.waiters(of: session).map(\.requester) == [requester(1)])
  }

  @Test("waiters of closed connections are swept from 256 on, with their batches")
  mutating func swept() {
    for number in UInt64(1)...256 {
      #expect(!pending.mustSweep(session))
      add(number, .batch(openBatch(number, reclaim)))
    }
    #expect(pending.mustSweep(session))
    pending.removeWaiters(of: session) { $0.number <= 2 }
    #expect(pending.waiters(of: session).count == 2)
    #expect(pending.flaws.isEmpty)
  }

  // MARK: - Hosts

  @Test("the work of a scene goes on at the next host, whose own requests get their reply")
  mutating func rehost() {
    pending.assign(session, HostAssignment(.refresh, .windowApplication, isNew: false))
    let delivery = pending.deliver([callback(1)], to: session)
    add(1, .transition)
    add(2, delivery: delivery)
    pending.mustRefresh(session)
    pending.suspend(session)
    #expect(pending.superseded(session, in: .unattached).isEmpty)
    #expect(!pending.hasCallbacks(for: session) && !pending.awaitsRefresh(session))
    #expect(pending.nextDelivery(to: session, atRest: true) == nil)
    let replies = pending.rehost(session, to: ConnectionIdentifier(1), in: .unattached)
    #expect(lines(replies) == ["1 unattached"])
    #expect(pending.waiters(of: session).map(\.requester) == [requester(2)])
    #expect(pending.hasDelivery(delivery, of: session) && pending.awaitsRefresh(session))
    #expect(pending.assignment(of: session) != nil)
    #expect(pending.flaws.isEmpty)
  }

  @Test("a launch goes on with activations and refreshes, and fails the others")
  mutating func launch() {
    add(1, .transition)
    add(2)
    add(3, .batch(openBatch(3, reclaim)))
    add(4, .refresh(openBatch(4, refresh)))
    #expect(lines(pending.rehostToLaunch(session)) == ["1 unattached", "3 reclaimed 1"])
    #expect(pending.waiters(of: session).map(\.requester.connection.number) == [2, 4])
    #expect(pending.flaws.isEmpty)
  }

  @Test("the content of a launch is delivered before what came later, for its own requester")
  mutating func first() {
    add(1)
    let later = pending.deliver([callback(2)], to: session)
    add(2, delivery: later)
    pending.deliverFirst([callback(1)], to: session, for: requester(1))
    #expect(pending.deliveryCount(of: session) == 2)
    let first = pending.nextDelivery(to: session, atRest: true)
    #expect(first?.completes == pending.waiters(of: session)[0].delivery)
    #expect(pending.nextDelivery(to: session, atRest: true)?.completes == later)
  }

  @Test("the assignment ends with the first step of the scene, and returns its launch")
  mutating func assignment() {
    var assignment = HostAssignment(.refresh, .windowApplication, isNew: true)
    assignment.launch = LaunchIdentifier(number: 7)
    pending.assign(session, assignment)
    pending.changeAssignment(of: session) { $0.startCount += 1 }
    #expect(pending.assignment(of: session)?.startCount == 1)
    #expect(pending.removeAssignment(of: session) == LaunchIdentifier(number: 7))
    #expect(pending.removeAssignment(of: session) == nil)
    #expect(pending.sessions.isEmpty)
  }

  // MARK: - Deliveries

  @Test("before the next step only deliveries that were queued at the last one go out")
  mutating func ready() {
    let one = pending.deliver([callback(1), callback(2)], to: session)
    #expect(pending.nextDelivery(to: session, atRest: false) == nil)
    pending.stepped(session)
    let two = pending.deliver([callback(3)], to: session)
    #expect(pending.nextDelivery(to: session, atRest: false)?.completes == nil)
    #expect(pending.nextDelivery(to: session, atRest: false)?.completes == one)
    #expect(pending.nextDelivery(to: session, atRest: false) == nil)
    #expect(pending.nextDelivery(to: session, atRest: true)?.completes == two)
    #expect(pending.sessions.isEmpty)
  }
}
