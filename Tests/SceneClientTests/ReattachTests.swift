import SceneModel
import Testing

@testable import SceneClient

/// A session may be brought to this client while its scene is still to go on with it: the broker
/// then refuses the resume, but what the program has in memory is the newest there is.
struct ReattachTests {
  private let activated = Callback.willConnect(packing, hold: 2, reason: .activation)

  /// One that has asked to go on with its scene and was not answered.
  private func resuming(
    in state: ActivationState = .foregroundActive, saving activity: Activity? = nil
  ) -> MachineHarness {
    var harness = MachineHarness.with(in: state)
    if let activity { harness.take(.saved(packing, activity, nil)) }
    harness.take(.lost)
    harness.meetAgain()
    return harness
  }

  private func saving(_ line: Int) -> ClientRequest {
    .saveActivity(SaveActivity(session: packing, activity: note(line)))
  }

  @Test("what was not saved is saved, and the program sees an interruption")
  func interrupted() {
    var harness = resuming(saving: note(1))
    let actions = harness.call(activated)
    #expect(actions.answers == [.done])
    #expect(
      actions.callbacks == [
        .willResignActive(SceneReference(session: packing)), .background(packing), .ask(packing),
      ])
    #expect(actions.updates == [.resumed(packing)])
    #expect(actions.asked.first == saving(1))
    #expect(
      actions.asked.contains(
        .transition(SceneTransition(session: packing, to: .foregroundActive))))
    guard let question = actions.calls.last, let save = actions.requests.first else { return }
    let answered = harness.take(.answered(question.number, .activity(.value(note(2)))))
    #expect(answered.asked == [], "the first save is on its way")
    let saved = harness.take(
      .replied(save.number, .success(.saved(SaveActivity.Reply(generation: 1)))))
    #expect(saved.asked == [saving(2)])
  }

  @Test("the broker's refusal of what was asked before changes nothing")
  func refusedAfterwards() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    let resume = harness.meetAgain()
    harness.call(activated)
    #expect(harness.refuse(resume, .sessionNotHeld, retry: .now) == [])
    harness.take(.lost)
    guard case .connect(let again)? = harness.meetAgain().asked.first else {
      Issue.record("it does not resume")
      return
    }
    #expect(again.resume == Resume(state: .background, hold: 2))
    #expect(again.activity == note(1))
  }

  @Test("the walk up goes on from the background")
  func upAgain() {
    var harness = resuming()
    harness.call(activated)
    let up = Callback.willEnterForeground(SceneReference(session: packing))
    #expect(harness.call(up).callbacks == [up])
  }

  @Test("a scene in the background is not called at all")
  func behind() {
    var harness = resuming(in: .background, saving: note(1))
    let actions = harness.call(activated)
    #expect(actions.callbacks == [])
    #expect(actions.answers == [.done])
    #expect(actions.asked == [saving(1)])
  }

  @Test("what was answered and not confirmed is saved too")
  func unconfirmed() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.ask(packing), .activity(.value(note(5))))
    harness.take(.lost)
    harness.meetAgain()
    #expect(harness.call(activated).asked == [saving(5)])
  }

  @Test("what was saved since stays the newest")
  func newer() {
    var harness = resuming(in: .background, saving: note(1))
    #expect(harness.take(.saved(packing, note(2), nil)).asked == [saving(2)])
    #expect(harness.call(activated).asked == [])
  }

  @Test("what the activation brings is continued in the scene")
  func continued() {
    var harness = resuming(in: .background)
    guard case .willConnect(var message) = activated else { return }
    message.options.userActivities = [note(7)]
    #expect(
      harness.call(.willConnect(message)).callbacks == [
        .willContinueUserActivity(
          WillContinueUserActivity(session: packing, activityType: "note")),
        .continueUserActivity(ContinueUserActivity(session: packing, userActivity: note(7))),
      ])
  }

  @Test("a callback that the program was at when the broker went is still answered for")
  func lateAnswer() {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(.ask(packing)).calls[0]
    harness.take(.lost)
    harness.meetAgain()
    harness.call(activated)
    #expect(
      harness.take(.answered(call.number, .activity(.value(note(6))))).asked == [saving(6)])
  }

  @Test("a scene whose resume is put off goes on as well")
  func postpone() {
    var harness = resuming(in: .background)
    harness.take(.lost)
    let resume = harness.meetAgain()
    _ = harness.refuse(resume, .storageFull, retry: .later)
    harness.take(.saved(packing, note(1), nil))
    #expect(harness.call(activated).asked == [saving(1)])
    #expect(harness.take(.due(.again(packing))) == [])
  }

  @Test("a client that stops meanwhile leaves it")
  func stopping() {
    var harness = resuming()
    harness.take(.stopped)
    let actions = harness.call(activated)
    let close = SceneTransition(session: packing, to: .unattached, reason: .clientRequest)
    #expect(actions.asked == [.transition(close)])
  }

  @Test("if another client has held the session, the old scene ends, and names what is lost")
  func somebodyElse() {
    var harness = resuming(saving: note(1))
    let actions = harness.call(.willConnect(packing, hold: 3, reason: .activation))
    #expect(
      actions.callbacks == [
        .didDisconnect(packing, .connectionLost),
        .willConnect(packing, hold: 3, reason: .activation),
      ])
    guard case .report(packing, note(1), let error)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .sessionNotHeld)
    #expect(actions.asked == [])
  }
}
