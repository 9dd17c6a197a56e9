import SceneModel
import Testing

@testable import SceneClient

/// Callbacks, and the scenes after the loss of the broker.
struct SceneRuleTests {
  @Test("a callback goes to the program, and its answer to the broker")
  func callback() {
    var harness = MachineHarness.ready()
    let actions = harness.call(.willConnect(packing))
    #expect(actions.callbacks == [.willConnect(packing)])
    #expect(
      harness.take(.answered(actions.calls[0].number, .done))
        == [.send(.answer(.number(1), .done))])
  }

  @Test("a callback that the program leaves unanswered is not answered")
  func unanswered() {
    var harness = MachineHarness.with()
    let actions = harness.call(Callback(.willResignActive, of: packing))
    #expect(harness.take(.answered(actions.calls[0].number, nil)) == [])
  }

  @Test("the client answers a callback of an unknown scene without the program")
  func givenUp() {
    var harness = MachineHarness.ready()
    #expect(
      harness.call(.background(packing)) == [.send(.answer(.number(1), .done))])
  }

  @Test("a scene that the program refuses is not resumed")
  func refused() {
    var harness = MachineHarness.ready()
    let actions = harness.callAndAnswer(.willConnect(packing), .failed(message: "no"))
    #expect(actions.answers == [.failed(message: "no")])
    #expect(harness.meetNext().asked == [])
  }

  // MARK: - Resuming

  @Test("a scene resumes in its state, without a callback")
  func resume() {
    var harness = MachineHarness.with(hold: 3)
    #expect(harness.take(.lost()).callbacks == [])
    let actions = harness.meetAgain()
    #expect(
      actions.asked
        == requests(
          SceneConnect(session: packing, resume: Resume(state: .foregroundActive, hold: 3))))
    let reply = SceneConnect.Reply(session: packing, reason: .resume, hold: 3)
    #expect(harness.reply(to: actions, BrokerReply(reply)) == [.update(.resumed(packing))])
  }

  @Test(
    "a scene resumes in the state after its last callback",
    arguments: [
      (
        Callback(.willResignActive, of: packing),
        ActivationState.foregroundInactive
      ),
      (.background(packing), .background), (.ask(packing), .background),
      (Callback(.willEnterForeground, of: packing), .foregroundInactive),
      (Callback(.didBecomeActive, of: packing), .foregroundActive),
      (
        Callback(
          .willContinueUserActivity, WillContinueUserActivity(session: packing, activityType: "x")),
        .background
      ),
    ])
  func states(callback: Callback, state: ActivationState) {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(callback).calls[0]
    let actions = harness.meetNext()
    #expect(
      actions.asked
        == requests(SceneConnect(session: packing, resume: Resume(state: state, hold: 1))))
    #expect(
      harness.take(.answered(call.number, .done)).answers == [],
      "the callback came over the old connection")
  }

  @Test("a scene whose broker is lost during willConnect still enters the foreground")
  func foregroundAfterLoss() {
    var harness = MachineHarness.ready()
    let connect = harness.request(SceneConnect(name: "packing")).actions
    _ = harness.reply(to: connect, SceneConnect.Reply(session: packing, reason: .launch, hold: 1))
    harness.call(.willConnect(packing))
    let reply = BrokerReply.resumed
    let move = ClientRequest(SceneTransition(session: packing, to: .foregroundActive))
    #expect(harness.reply(to: harness.meetNext(), reply).asked == [move])
  }

  @Test("scenes resume in the order of their connects")
  func order() {
    var harness = MachineHarness.with(itinerary)
    harness.bring(packing, to: .foregroundActive, hold: 2)
    let sessions = harness.meetNext().asked.map { request -> SessionIdentifier? in
      guard let message = request.message as? SceneConnect else { return nil }
      return message.session
    }
    #expect(sessions == [itinerary, packing])
  }

  @Test("a client connects again, by identifier, to a scene that had no callback yet")
  func notHeardOf() {
    var harness = MachineHarness.ready()
    let actions = harness.request(SceneConnect(name: "packing")).actions
    _ = harness.reply(to: actions, SceneConnect.Reply(session: packing, reason: .launch, hold: 1))
    #expect(harness.meetNext().asked == requests(SceneConnect(session: packing)))
  }

  @Test("a repeated connect keeps its options and its target state")
  func notHeardOfYet() {
    var harness = MachineHarness.ready()
    let options = ConnectionOptions(userActivities: [note(1)])
    let asked = SceneConnect(name: "packing", background: true, options: options)
    let actions = harness.take(.requested(harness.token(), ClientRequest(asked)))
    _ = harness.reply(to: actions, SceneConnect.Reply(session: packing, reason: .launch, hold: 1))
    #expect(
      harness.meetNext().asked
        == requests(SceneConnect(session: packing, background: true, options: options)))
  }

  @Test("a scene that the program refused without a broker is disconnected at the next broker")
  func refusedLate() {
    var harness = MachineHarness.ready()
    let call = harness.call(.willConnect(packing)).calls[0]
    harness.meetNext()
    let actions = harness.take(.answered(call.number, .failed(message: "no")))
    #expect(actions.asked == requests(SceneDisconnect(session: packing)))
    #expect(harness.meetNext().asked == [])
  }

  @Test(
    "a scene that moved to the background before a loss is asked for its activity by the client")
  func owedActivity() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    let resumed = harness.meetNext()
    let actions = harness.reply(to: resumed, .resumed)
    #expect(actions.callbacks == [.ask(packing)])
    guard let call = actions.calls.first else { return }
    let saved = harness.take(.answered(call.number, .activity(.value(note(7)))))
    #expect(saved.asked == requests(SaveActivity(session: packing, activity: note(7))))
  }

  // MARK: - New connects

  @Test("after another holder, the client connects anew, and the old scene ends first")
  func connectAgain() {
    var harness = MachineHarness.with()
    let again = harness.refuse(harness.meetNext(), .sessionNotHeld)
    #expect(again.asked == requests(SceneConnect(session: packing)))
    #expect(again.callbacks == [])
    let actions = harness.reply(
      to: again, SceneConnect.Reply(session: packing, reason: .recover, hold: 5))
    #expect(actions.callbacks == [.didDisconnect(packing, .connectionLost)])
    #expect(
      harness.call(.willConnect(packing, hold: 5, reason: .recover)).callbacks
        == [.willConnect(packing, hold: 5, reason: .recover)])
  }

  @Test("a new connect is repeated if its broker is lost")
  func startOverAgain() {
    var harness = MachineHarness.with()
    _ = harness.refuse(harness.meetNext(), .sessionNotHeld)
    #expect(harness.meetNext().asked == requests(SceneConnect(session: packing)))
  }

  @Test(
    "a scene that cannot resume ends with a reason",
    arguments: [
      (SceneError.Code.sessionNotFound, DisconnectReason.discarded),
      (.sessionInUse, .replaced), (.invalidParams, .connectionLost),
    ])
  func over(code: SceneError.Code, reason: DisconnectReason) {
    var harness = MachineHarness.with()
    let actions = harness.refuse(harness.meetNext(), code)
    #expect(actions.callbacks == [.didDisconnect(packing, reason)])
    #expect(harness.machine.scenes.isEmpty)
  }

  @Test("when another client still holds the session, the scene was replaced")
  func replaced() {
    var harness = MachineHarness.with()
    let again = harness.refuse(harness.meetNext(), .sessionNotHeld)
    #expect(
      harness.refuse(again, .sessionInUse).callbacks == [.didDisconnect(packing, .replaced)])
  }

  @Test("a resume that the broker refuses for now is repeated later")
  func later() {
    var harness = MachineHarness.with()
    let actions = harness.refuse(harness.meetNext(), .storageFull, retry: .later)
    #expect(actions.callbacks == [])
    #expect(actions.contains { if case .wake(.again(packing), _) = $0 { true } else { false } })
    let resume = SceneConnect(
      session: packing, resume: Resume(state: .foregroundActive, hold: 1))
    #expect(harness.take(.due(.again(packing))).asked == [ClientRequest(resume)])
  }

  // MARK: - Orderly shutdown

  @Test("after an orderly shutdown the client connects to its session by identifier")
  func restore() {
    var harness = MachineHarness.with()
    for step in [
      Callback(.willResignActive, of: packing), .background(packing),
      .ask(packing), .didDisconnect(packing, .shutdown),
    ] {
      harness.callAndAnswer(step)
    }
    let actions = harness.meetNext()
    #expect(actions.asked == requests(SceneConnect(session: packing)))
    _ = harness.reply(to: actions, SceneConnect.Reply(session: packing, reason: .restore, hold: 2))
    #expect(harness.call(.willConnect(packing, hold: 2)).callbacks.count == 1)
  }

  @Test("a scene that stayed in the background returns to the background")
  func restoreBehind() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    let asked = harness.callAndAnswer(.ask(packing), .activity(.absent))
    // The reply to the ping comes after all earlier callbacks of the scene.
    #expect(asked.asked == requests(Ping()))
    #expect(harness.reply(to: asked, .empty) == [])
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    #expect(harness.meetNext().asked == requests(SceneConnect(session: packing, background: true)))
  }

  @Test("a scene that left the background returns to the foreground")
  func restoreInFront() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    let asked = harness.callAndAnswer(.ask(packing), .activity(.absent))
    harness.callAndAnswer(Callback(.willEnterForeground, of: packing))
    _ = harness.reply(to: asked, .empty)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    #expect(harness.meetNext().asked == requests(SceneConnect(session: packing)))
  }

  @Test("a scene that resumed in the background returns to the background")
  func restoreResumed() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    harness.callAndAnswer(.ask(packing), .activity(.absent))
    _ = harness.reply(to: harness.meetNext(), .resumed)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    #expect(harness.meetNext().asked == requests(SceneConnect(session: packing, background: true)))
  }

  @Test("after another holder, the client requests the session in its scene's state")
  func startOverBehind() {
    var harness = MachineHarness.with(in: .background)
    let again = harness.refuse(harness.meetNext(), .sessionNotHeld)
    #expect(again.asked == requests(SceneConnect(session: packing, background: true)))
  }

  @Test(
    "after another end the client does not connect again",
    arguments: [
      DisconnectReason.clientRequest, .reclaimed, .discarded, .replaced, .watchdog,
    ])
  func noRestore(reason: DisconnectReason) {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.didDisconnect(packing, reason))
    #expect(harness.meetNext().asked == [])
  }

  @Test("the program learns that a session cannot be restored")
  func notReturned() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    let actions = harness.refuse(harness.meetNext(), .sessionNotFound)
    #expect(
      actions == [.update(.notReturned(packing, SceneError(.sessionNotFound, "no")))])
  }

  @Test("the last callbacks of an old connection are not answered on the new one")
  func lateFarewell() {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(.didDisconnect(packing, .shutdown)).calls[0]
    harness.meetNext()
    #expect(harness.take(.answered(call.number, .done)) == [])
  }
}
