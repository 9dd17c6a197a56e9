import SceneModel
import Testing

@testable import SceneBroker

/// The time for a callback, and the end of a scene whose client exceeds it.
final class BudgetTests: BrokerSuite {
  @Test("willConnect has 20 s, a ping 10 s, other callbacks 5 s, unless the manifest sets a time")
  func budgets() {
    var budgets = Budgets()
    for kind in CallbackKind.allCases {
      let seconds: Int64 =
        switch kind {
        case .willConnect: 20
        case .ping: 10
        default: 5
        }
      #expect(budgets.budget(for: kind) == .seconds(seconds))
    }
    budgets = Budgets(
      connect: .seconds(1), standard: .seconds(2),
      special: ["willConnect": .seconds(3), "didBecomeActive": .seconds(4)])
    #expect(budgets.budget(for: .willConnect) == .seconds(3))
    #expect(budgets.budget(for: .didBecomeActive) == .seconds(4))
    #expect(budgets.budget(for: .willResignActive) == .seconds(2))
  }

  @Test("every callback is sent with its budget")
  func sentWithBudget() {
    fixture.client().become("packing")
    let sent = fixture.sent.compactMap { outbound -> Interval? in
      if case .callback(_, _, let budget) = outbound.message { budget } else { nil }
    }
    #expect(sent == [.seconds(20), .seconds(5), .seconds(5)])
  }

  @Test("R13: a callback without an answer within its budget ends that scene, and no other")
  func watchdog() {
    let (one, other) = (scene.become("one"), scene.become("other"))
    control.move(one, .background)
    scene.forget()
    fixture.pass(.seconds(5))
    #expect(scene.heard == ["didDisconnect S1 watchdog"])
    #expect(fixture.end(one) == DisconnectOutcome(reason: .watchdog, callback: "willResignActive"))
    #expect(fixture.state(other) == .foregroundActive)
    #expect(control.heard == ["2 unattached"])
    #expect(fixture.closes == [])
  }

  @Test("the broker ignores a reply after the budget")
  func lateAnswer() {
    let session = scene.become("packing")
    control.move(session, .background)
    fixture.pass(.seconds(5))
    scene.forget()
    scene.acknowledgeAll()
    #expect(scene.heard == [])
    #expect(fixture.state(session) == .unattached)
  }

  @Test("an overrun of willConnect keeps a session that its client requested")
  func willConnect() {
    scene.ask(SceneConnect(name: "packing"))
    scene.forget()
    fixture.pass(.seconds(20))
    #expect(scene.heard == ["didDisconnect S1 watchdog"])
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(fixture.end(session) == DisconnectOutcome(reason: .watchdog, callback: "willConnect"))
    #expect(
      scene.hears(SceneConnect(name: "packing"))
        == ["3 S1 recover 2", "willConnect S1 recover 2"])
  }

  @Test("the broker does not repeat didDisconnect after its overrun")
  func didDisconnect() {
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    fixture.pass(.seconds(5))
    #expect(scene.heard == [])
    #expect(fixture.end(session) == DisconnectOutcome(reason: .watchdog, callback: "didDisconnect"))
    #expect(control.heard == ["2 unattached"])
  }

  @Test("a delivery can exceed its budget")
  func delivery() {
    let session = scene.become("packing")
    control.ask(RequestActivation(session: session, userActivity: note(1)))
    fixture.pass(.seconds(5))
    #expect(control.heard == ["2 sessionNotHeld now"])
    #expect(fixture.end(session)?.callback == "willContinueUserActivity")
  }

  @Test("R14: a client can ask for more time")
  func extends() {
    let session = scene.become("packing")
    control.move(session, .background)
    fixture.pass(.seconds(4))
    #expect(
      scene.hears(SceneExtend(session: session, seconds: 60))
        == ["3 {}"])
    fixture.pass(.seconds(59))
    #expect(fixture.state(session) == .foregroundActive)
    fixture.pass(.seconds(1))
    #expect(fixture.end(session)?.reason == .watchdog)
  }

  @Test("an extension that ends before the budget does not shorten it")
  func extendsByLess() {
    let session = scene.become("packing")
    control.move(session, .background)
    #expect(scene.hears(SceneExtend(session: session, seconds: 1)) == ["3 {}"])
    fixture.pass(.seconds(4))
    #expect(fixture.state(session) == .foregroundActive)
    fixture.pass(.seconds(1))
    #expect(fixture.end(session)?.callback == "willResignActive")
  }

  @Test(
    "only a pending callback can be extended, and only by a valid time",
    arguments: [
      (0.0, "3 {}"), (3600, "3 {}"), (3600.1, "3 invalidParams"), (-1, "3 invalidParams"),
    ])
  func extensions(seconds: Double, expected: String) {
    let session = scene.become("packing")
    control.move(session, .background)
    #expect(
      scene.hears(SceneExtend(session: session, seconds: seconds)) == [expected])
    scene.acknowledgeAll()
    #expect(
      scene.hears(SceneExtend(session: session, seconds: 1)) == ["4 requestDenied"])
  }

  @Test("the budget does not apply to a client under a debugger")
  func debugged() {
    let session = scene.become("packing")
    control.move(session, .background)
    fixture.halts = [scene.process: .debugged]
    fixture.pass(.seconds(60))
    #expect(fixture.state(session) == .foregroundActive)
    fixture.halts = [:]
    fixture.pass(.seconds(5))
    #expect(fixture.end(session)?.reason == .watchdog)
  }

  @Test("an error to a callback other than willConnect counts as acknowledged and is logged")
  func errors() {
    scene.ask(SceneConnect(name: "packing"))
    scene.acknowledge()
    scene.acknowledge(.failed(message: "methodNotFound"))
    scene.acknowledge(.failed(message: "methodNotFound"))
    #expect(fixture.state(SessionIdentifier(high: 0, low: 1)) == .foregroundActive)
    #expect(
      fixture.trace.filter { $0.event == .failed }.map(text) == [
        "failed S1 willEnterForeground methodNotFound", "failed S1 didBecomeActive methodNotFound",
      ])
  }

  @Test("the trace clips the text of a client's error")
  func longError() {
    scene.ask(SceneConnect(name: "packing"))
    scene.acknowledge(.failed(message: String(repeating: "é", count: 100_000)))
    let detail = fixture.trace.last { $0.event == .failed }?.detail ?? ""
    #expect(detail.utf8.count <= TraceEntry.detailBytes + 3)
    #expect(detail.hasSuffix("é…"))
  }

  @Test(
    "a reply to a callback that was never sent is a violation", arguments: [0, 2, -1, Int64.max])
  func neverSent(number: Int64) {
    scene.ask(SceneConnect(name: "packing"))
    scene.forget()
    fixture.endsRounds = false
    fixture.handle(.answered(scene.connection, callback: number, .done))
    #expect(scene.heard == ["- invalidRequest"])
    #expect(fixture.closes == [scene.connection])
    #expect(fixture.end(SessionIdentifier(high: 0, low: 1))?.reason == .violation)
  }

  @Test("a second reply to a callback is ignored")
  func secondReply() {
    let session = scene.become("packing")
    fixture.handle(.answered(scene.connection, callback: 1, .failed(message: "no")))
    #expect(fixture.state(session) == .foregroundActive)
    #expect(fixture.closes == [])
  }
}
