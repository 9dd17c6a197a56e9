import JSON
import SceneModel
import Testing

@testable import SceneClient

/// Callbacks, and what becomes of scenes when the broker is lost.
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
    let actions = harness.call(.willResignActive(SceneReference(session: packing)))
    #expect(harness.take(.answered(actions.calls[0].number, nil)) == [])
  }

  @Test("a callback of a scene that was given up is answered without the program")
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
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [])
  }

  // MARK: - Resuming

  @Test("a scene goes on where it was, without a callback")
  func resume() {
    var harness = MachineHarness.with(hold: 3)
    #expect(harness.take(.lost).callbacks == [])
    let actions = harness.meetAgain()
    #expect(
      actions.asked == [
        .connect(
          SceneConnect(session: packing, resume: Resume(state: .foregroundActive, hold: 3)))
      ])
    let reply = SceneConnect.Reply(session: packing, reason: .resume, hold: 3)
    #expect(harness.reply(to: actions, .connected(reply)) == [.update(.resumed(packing))])
  }

  @Test(
    "the state it goes on in is the one after the last callback that came",
    arguments: [
      (
        Callback.willResignActive(SceneReference(session: packing)),
        ActivationState.foregroundInactive
      ),
      (.background(packing), .background), (.ask(packing), .background),
      (.willEnterForeground(SceneReference(session: packing)), .foregroundInactive),
      (.didBecomeActive(SceneReference(session: packing)), .foregroundActive),
      (
        .willContinueUserActivity(WillContinueUserActivity(session: packing, activityType: "x")),
        .background
      ),
    ])
  func states(callback: Callback, state: ActivationState) {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(callback).calls[0]
    harness.take(.lost)
    let actions = harness.meetAgain()
    #expect(
      actions.asked == [
        .connect(SceneConnect(session: packing, resume: Resume(state: state, hold: 1)))
      ])
    #expect(harness.take(.answered(call.number, .done)).answers == [], "it came over the old one")
  }

  @Test("scenes go on in the order in which they came")
  func order() {
    var harness = MachineHarness.with(itinerary)
    harness.bring(packing, to: .foregroundActive, hold: 2)
    harness.take(.lost)
    let sessions = harness.meetAgain().asked.map { request -> SessionIdentifier? in
      guard case .connect(let message) = request else { return nil }
      return message.session
    }
    #expect(sessions == [itinerary, packing])
  }

  @Test("a scene of which the program has not heard is asked for by its identifier")
  func notHeardOf() {
    var harness = MachineHarness.ready()
    let actions = harness.take(
      .requested(harness.token(), .connect(SceneConnect(name: "packing"))))
    _ = harness.reply(
      to: actions, .connected(SceneConnect.Reply(session: packing, reason: .launch, hold: 1)))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [.connect(SceneConnect(session: packing))])
  }

  @Test("what it was to bring, and where it was to be, is not forgotten with the broker")
  func notHeardOfYet() {
    var harness = MachineHarness.ready()
    let options = ConnectionOptions(userActivities: [note(1)])
    let asked = SceneConnect(name: "packing", background: true, options: options)
    let actions = harness.take(.requested(harness.token(), .connect(asked)))
    _ = harness.reply(
      to: actions, .connected(SceneConnect.Reply(session: packing, reason: .launch, hold: 1)))
    harness.take(.lost)
    #expect(
      harness.meetAgain().asked
        == [.connect(SceneConnect(session: packing, background: true, options: options))])
  }

  @Test("a scene that was refused while the broker was away is given up when it is back")
  func refusedLate() {
    var harness = MachineHarness.ready()
    let call = harness.call(.willConnect(packing)).calls[0]
    harness.take(.lost)
    harness.meetAgain()
    let actions = harness.take(.answered(call.number, .failed(message: "no")))
    #expect(actions.asked == [.disconnect(SceneDisconnect(session: packing))])
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [])
  }

  @Test("a scene that went to the background as the broker was lost is asked for its activity here")
  func owedActivity() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    harness.take(.lost)
    let resumed = harness.meetAgain()
    let actions = harness.reply(
      to: resumed, .connected(SceneConnect.Reply(session: packing, reason: .resume, hold: 1)))
    #expect(actions.callbacks == [.ask(packing)])
    guard let call = actions.calls.first else { return }
    let saved = harness.take(.answered(call.number, .activity(.value(note(7)))))
    #expect(saved.asked == [.saveActivity(SaveActivity(session: packing, activity: note(7)))])
  }

  // MARK: - Starting over

  @Test("after another holder, the client asks for the session anew, and the old scene ends first")
  func connectAgain() {
    var harness = MachineHarness.with()
    harness.take(.lost)
    let again = harness.refuse(harness.meetAgain(), .sessionNotHeld)
    #expect(again.asked == [.connect(SceneConnect(session: packing))])
    #expect(again.callbacks == [])
    let actions = harness.reply(
      to: again, .connected(SceneConnect.Reply(session: packing, reason: .recover, hold: 5)))
    #expect(actions.callbacks == [.didDisconnect(packing, .connectionLost)])
    #expect(
      harness.call(.willConnect(packing, hold: 5, reason: .recover)).callbacks
        == [.willConnect(packing, hold: 5, reason: .recover)])
  }

  @Test("starting over is taken up again when the broker is lost meanwhile")
  func startOverAgain() {
    var harness = MachineHarness.with()
    harness.take(.lost)
    _ = harness.refuse(harness.meetAgain(), .sessionNotHeld)
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [.connect(SceneConnect(session: packing))])
  }

  @Test(
    "a scene that cannot go on ends, and says why",
    arguments: [
      (SceneError.Code.sessionNotFound, DisconnectReason.discarded),
      (.sessionInUse, .replaced), (.invalidParams, .connectionLost),
    ])
  func over(code: SceneError.Code, reason: DisconnectReason) {
    var harness = MachineHarness.with()
    harness.take(.lost)
    let actions = harness.refuse(harness.meetAgain(), code)
    #expect(actions.callbacks == [.didDisconnect(packing, reason)])
    #expect(harness.machine.scenes.isEmpty)
  }

  @Test("when another client still holds the session, the scene was replaced")
  func replaced() {
    var harness = MachineHarness.with()
    harness.take(.lost)
    let again = harness.refuse(harness.meetAgain(), .sessionNotHeld)
    #expect(
      harness.refuse(again, .sessionInUse).callbacks == [.didDisconnect(packing, .replaced)])
  }

  @Test("what the broker cannot do now is asked again after a while")
  func later() {
    var harness = MachineHarness.with()
    harness.take(.lost)
    let actions = harness.refuse(harness.meetAgain(), .storageFull, retry: .later)
    #expect(actions.callbacks == [])
    #expect(actions.contains { if case .wake(.again(packing), _) = $0 { true } else { false } })
    let resume = SceneConnect(
      session: packing, resume: Resume(state: .foregroundActive, hold: 1))
    #expect(harness.take(.due(.again(packing))).asked == [.connect(resume)])
  }

  // MARK: - An orderly end

  @Test("after an orderly shutdown the session is asked for by its identifier")
  func restore() {
    var harness = MachineHarness.with()
    for step in [
      Callback.willResignActive(SceneReference(session: packing)), .background(packing),
      .ask(packing), .didDisconnect(packing, .shutdown),
    ] {
      harness.callAndAnswer(step)
    }
    harness.take(.lost)
    let actions = harness.meetAgain()
    #expect(actions.asked == [.connect(SceneConnect(session: packing))])
    _ = harness.reply(
      to: actions, .connected(SceneConnect.Reply(session: packing, reason: .restore, hold: 2)))
    #expect(harness.call(.willConnect(packing, hold: 2)).callbacks.count == 1)
  }

  @Test("a scene that was to stay in the background comes back there")
  func restoreBehind() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    let asked = harness.callAndAnswer(.ask(packing), .activity(.absent))
    // The broker answers behind what it would have had to say of the scene.
    #expect(asked.asked == [.ping(Ping())])
    #expect(harness.reply(to: asked, .empty) == [])
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    harness.take(.lost)
    #expect(
      harness.meetAgain().asked
        == [.connect(SceneConnect(session: packing, background: true))])
  }

  @Test("one that went up again since does not")
  func restoreInFront() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    let asked = harness.callAndAnswer(.ask(packing), .activity(.absent))
    harness.callAndAnswer(.willEnterForeground(SceneReference(session: packing)))
    _ = harness.reply(to: asked, .empty)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [.connect(SceneConnect(session: packing))])
  }

  @Test("a scene that went on in the background comes back there")
  func restoreResumed() {
    var harness = MachineHarness.with(in: .foregroundInactive)
    harness.callAndAnswer(.background(packing))
    harness.callAndAnswer(.ask(packing), .activity(.absent))
    harness.take(.lost)
    _ = harness.reply(
      to: harness.meetAgain(),
      .connected(SceneConnect.Reply(session: packing, reason: .resume, hold: 1)))
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    harness.take(.lost)
    #expect(
      harness.meetAgain().asked
        == [.connect(SceneConnect(session: packing, background: true))])
  }

  @Test("after another holder, the client asks for the session in the state that its scene had")
  func startOverBehind() {
    var harness = MachineHarness.with(in: .background)
    harness.take(.lost)
    let again = harness.refuse(harness.meetAgain(), .sessionNotHeld)
    #expect(again.asked == [.connect(SceneConnect(session: packing, background: true))])
  }

  @Test(
    "after another end it is not",
    arguments: [
      DisconnectReason.clientRequest, .reclaimed, .discarded, .replaced, .watchdog,
    ])
  func noRestore(reason: DisconnectReason) {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.didDisconnect(packing, reason))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [])
  }

  @Test("a session that is not to be had again is told of")
  func notReturned() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.didDisconnect(packing, .shutdown))
    harness.take(.lost)
    let actions = harness.refuse(harness.meetAgain(), .sessionNotFound)
    #expect(
      actions == [.update(.notReturned(packing, SceneError(.sessionNotFound, "no")))])
  }

  @Test("the last callbacks of an old connection are not answered on the new one")
  func lateFarewell() {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(.didDisconnect(packing, .shutdown)).calls[0]
    harness.take(.lost)
    harness.meetAgain()
    #expect(harness.take(.answered(call.number, .done)) == [])
  }
}
