import SceneModel
import Testing

@testable import SceneBroker

/// How long a client may take, and what becomes of a scene whose client takes longer.
struct BudgetTests {
  @Test("connecting has 20 seconds, everything else 5, unless the manifest says otherwise")
  func budgets() {
    var budgets = Budgets()
    for kind in CallbackKind.allCases {
      #expect(budgets.budget(for: kind) == .seconds(kind == .willConnect ? 20 : 5))
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
    let stage = Stage()
    stage.client().become("packing")
    let sent = stage.sent.compactMap { outbound -> Interval? in
      if case .callback(_, _, let budget) = outbound.message { budget } else { nil }
    }
    #expect(sent == [.seconds(20), .seconds(5), .seconds(5)])
  }

  @Test("R13: a callback without an answer within its budget ends that scene, and no other")
  func watchdog() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let (one, other) = (scene.become("one"), scene.become("other"))
    control.move(one, .background)
    scene.forget()
    stage.pass(.seconds(5))
    #expect(scene.heard == ["didDisconnect S1 watchdog"])
    #expect(stage.end(one) == SessionEnd(reason: .watchdog, callback: "willResignActive"))
    #expect(stage.state(other) == .foregroundActive)
    #expect(control.heard == ["2 unattached"])
    #expect(stage.closes == [])
  }

  @Test("an answer that comes too late is ignored")
  func lateAnswer() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    stage.pass(.seconds(5))
    scene.forget()
    scene.acknowledgeAll()
    #expect(scene.heard == [])
    #expect(stage.state(session) == .unattached)
  }

  @Test("an overrun of willConnect leaves a session that was asked for as it is")
  func willConnect() {
    let stage = Stage()
    let scene = stage.client()
    scene.ask(.connect(SceneConnect(name: "packing")))
    scene.forget()
    stage.pass(.seconds(20))
    #expect(scene.heard == ["didDisconnect S1 watchdog"])
    let session = SessionIdentifier(high: 0, low: 1)
    #expect(stage.end(session) == SessionEnd(reason: .watchdog, callback: "willConnect"))
    #expect(
      scene.hears(.connect(SceneConnect(name: "packing")))
        == ["3 S1 recover 2", "willConnect S1 recover 2"])
  }

  @Test("an overrun of didDisconnect does not send it again")
  func didDisconnect() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
    stage.pass(.seconds(5))
    #expect(scene.heard == [])
    #expect(stage.end(session) == SessionEnd(reason: .watchdog, callback: "didDisconnect"))
    #expect(control.heard == ["2 unattached"])
  }

  @Test("an overrun of a delivery is one as well")
  func delivery() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.ask(.activate(RequestActivation(session: session, userActivity: note(1))))
    stage.pass(.seconds(5))
    #expect(control.heard == ["2 sessionNotHeld now"])
    #expect(stage.end(session)?.callback == "willContinueUserActivity")
  }

  @Test("R14: a client can ask for more time")
  func extends() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    stage.pass(.seconds(4))
    #expect(
      scene.hears(.extend(SceneExtend(session: session, seconds: 60)))
        == ["3 {}"])
    stage.pass(.seconds(59))
    #expect(stage.state(session) == .foregroundActive)
    stage.pass(.seconds(1))
    #expect(stage.end(session)?.reason == .watchdog)
  }

  @Test("asking for less than what is left takes nothing away")
  func extendsByLess() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    #expect(scene.hears(.extend(SceneExtend(session: session, seconds: 1))) == ["3 {}"])
    stage.pass(.seconds(4))
    #expect(stage.state(session) == .foregroundActive)
    stage.pass(.seconds(1))
    #expect(stage.end(session)?.callback == "willResignActive")
  }

  @Test(
    "only a running callback can be extended, by a time that is one",
    arguments: [
      (0.0, "3 {}"), (3600, "3 {}"), (3600.1, "3 invalidParams"), (-1, "3 invalidParams"),
    ])
  func extensions(seconds: Double, expected: String) {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    #expect(
      scene.hears(.extend(SceneExtend(session: session, seconds: seconds))) == [expected])
    scene.acknowledgeAll()
    #expect(
      scene.hears(.extend(SceneExtend(session: session, seconds: 1))) == ["4 requestDenied"])
  }

  @Test("a client that is being debugged is not held to its budget")
  func debugged() {
    let stage = Stage()
    let (scene, control) = (stage.client(), stage.control())
    let session = scene.become("packing")
    control.move(session, .background)
    stage.debugged = [scene.process]
    stage.pass(.seconds(60))
    #expect(stage.state(session) == .foregroundActive)
    stage.debugged = []
    stage.pass(.seconds(5))
    #expect(stage.end(session)?.reason == .watchdog)
  }

  @Test("an error to a callback other than willConnect counts as acknowledged and is logged")
  func errors() {
    let stage = Stage()
    let scene = stage.client()
    scene.ask(.connect(SceneConnect(name: "packing")))
    scene.acknowledge()
    scene.acknowledge(.failed(message: "methodNotFound"))
    scene.acknowledge(.failed(message: "methodNotFound"))
    #expect(stage.state(SessionIdentifier(high: 0, low: 1)) == .foregroundActive)
    #expect(
      stage.story.filter { $0.event == .failed }.map(text) == [
        "failed S1 willEnterForeground methodNotFound", "failed S1 didBecomeActive methodNotFound",
      ])
  }

  @Test("what a client says of its error is kept short")
  func longError() {
    let stage = Stage()
    let scene = stage.client()
    scene.ask(.connect(SceneConnect(name: "packing")))
    scene.acknowledge(.failed(message: String(repeating: "é", count: 100_000)))
    let detail = stage.story.last { $0.event == .failed }?.detail ?? ""
    #expect(detail.utf8.count <= TraceEntry.detailBytes + 3)
    #expect(detail.hasSuffix("é…"))
  }

  @Test(
    "a reply to a callback that was never sent is a violation", arguments: [0, 2, -1, Int64.max])
  func neverSent(number: Int64) {
    let stage = Stage()
    let scene = stage.client()
    scene.ask(.connect(SceneConnect(name: "packing")))
    scene.forget()
    stage.endsRounds = false
    stage.handle(.answered(scene.connection, callback: number, .done))
    #expect(scene.heard == ["- invalidRequest"])
    #expect(stage.closes == [scene.connection])
    #expect(stage.end(SessionIdentifier(high: 0, low: 1))?.reason == .violation)
  }

  @Test("a second reply to a callback is ignored")
  func secondReply() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    stage.handle(.answered(scene.connection, callback: 1, .failed(message: "no")))
    #expect(stage.state(session) == .foregroundActive)
    #expect(stage.closes == [])
  }
}
