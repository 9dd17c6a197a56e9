import SceneModel
import Testing

@testable import SceneClient

/// A broker can assign a session to this client while the client asks to resume its scene. The
/// broker then refuses the resume, and the newest state is in the program's memory.
struct ReattachTests {
  private let activated = Callback.willConnect(packing, hold: 2, reason: .activation)

  /// A client that asked to resume its scene and has no reply.
  private func resuming(
    in state: ActivationState = .foregroundActive, saving activity: Activity? = nil
  ) -> MachineHarness {
    var harness = MachineHarness.with(in: state)
    if let activity { harness.take(.saveRequested(packing, activity, nil)) }
    harness.meetNext()
    return harness
  }

  private func saving(_ line: Int) -> ClientRequest {
    ClientRequest(SaveActivity(session: packing, activity: note(line)))
  }

  @Test("an unsaved activity is saved, and the program gets an interruption")
  func interrupted() {
    var harness = resuming(saving: note(1))
    let actions = harness.call(activated)
    #expect(actions.answers == [.done])
    #expect(
      actions.callbacks == [
        Callback(.willResignActive, of: packing), .background(packing), .ask(packing),
      ])
    #expect(actions.updates == [.resumed(packing)])
    #expect(actions.asked.first == saving(1))
    #expect(
      actions.asked.contains(
        ClientRequest(SceneTransition(session: packing, to: .foregroundActive))))
    guard let question = actions.calls.last, let save = actions.requests.first else { return }
    let answered = harness.take(.answered(question.number, .activity(.value(note(2)))))
    #expect(answered.asked == [], "the first save is on its way")
    let saved = harness.take(
      .replied(save.number, .success(BrokerReply(SaveActivity.Reply(generation: 1)))))
    #expect(saved.asked == [saving(2)])
  }

  @Test("the later refusal of the resume has no effect")
  func refusedAfterwards() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    let resume = harness.meetNext()
    harness.call(activated)
    #expect(harness.refuse(resume, .sessionNotHeld, retry: .now) == [])
    guard let again = harness.meetNext().asked.first?.message as? SceneConnect else {
      Issue.record("the client does not resume")
      return
    }
    #expect(again.resume == Resume(state: .background, hold: 2))
    #expect(again.activity == note(1))
  }

  @Test("the scene moves to the foreground from the background")
  func upAgain() {
    var harness = resuming()
    harness.call(activated)
    let up = Callback(.willEnterForeground, of: packing)
    #expect(harness.call(up).callbacks == [up])
  }

  @Test("a scene in the background gets no callback")
  func behind() {
    var harness = resuming(in: .background, saving: note(1))
    let actions = harness.call(activated)
    #expect(actions.callbacks == [])
    #expect(actions.answers == [.done])
    #expect(actions.asked == [saving(1)])
  }

  @Test("an activity in an unacknowledged answer is saved too")
  func unconfirmed() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.ask(packing), .activity(.value(note(5))))
    harness.meetNext()
    #expect(harness.call(activated).asked == [saving(5)])
  }

  @Test("a later save stays the newest")
  func newer() {
    var harness = resuming(in: .background, saving: note(1))
    #expect(harness.take(.saveRequested(packing, note(2), nil)).asked == [saving(2)])
    #expect(harness.call(activated).asked == [])
  }

  @Test("the scene gets the content of the activation")
  func continued() {
    var harness = resuming(in: .background)
    guard var message = activated.message as? WillConnect else { return }
    message.options.userActivities = [note(7)]
    #expect(
      harness.call(Callback(.willConnect, message)).callbacks == [
        Callback(
          .willContinueUserActivity,
          WillContinueUserActivity(session: packing, activityType: "note")),
        Callback(
          .continueUserActivity, UserActivityMessage(session: packing, userActivity: note(7))),
      ])
  }

  @Test("the answer to a callback of the lost broker is still saved")
  func lateAnswer() {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(.ask(packing)).calls[0]
    harness.meetNext()
    harness.call(activated)
    #expect(
      harness.take(.answered(call.number, .activity(.value(note(6))))).asked == [saving(6)])
  }

  @Test("a scene whose resume is postponed continues too")
  func postpone() {
    var harness = resuming(in: .background)
    let resume = harness.meetNext()
    _ = harness.refuse(resume, .storageFull, retry: .later)
    harness.take(.saveRequested(packing, note(1), nil))
    #expect(harness.call(activated).asked == [saving(1)])
    #expect(harness.take(.due(.again(packing))) == [])
  }

  @Test("a client that stops meanwhile closes the scene")
  func stopping() {
    var harness = resuming()
    harness.take(.stopped())
    let actions = harness.call(activated)
    let close = SceneTransition(session: packing, to: .unattached, reason: .clientRequest)
    #expect(actions.asked == [ClientRequest(close)])
  }

  @Test("a scene that the client still holds ends before the next one connects")
  func stillHeld() {
    var harness = MachineHarness.with()
    #expect(
      harness.call(activated).callbacks == [
        .didDisconnect(packing, .connectionLost), activated,
      ])
  }

  @Test("if another client held the session, the old scene ends and reports its unsaved activity")
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
