import JSON
import SceneModel
import Testing

@testable import SceneClient

/// Activities: one on its way, the newest next, and none lost with the broker.
struct SavingRuleTests {
  private func saving(_ line: Int) -> ClientRequest {
    .saveActivity(SaveActivity(session: packing, activity: note(line)))
  }

  private func resuming(_ activity: Activity?) -> ClientRequest {
    .connect(
      SceneConnect(
        session: packing, resume: Resume(state: .foregroundActive, hold: 1), activity: activity))
  }

  private var resumed: BrokerReply {
    .connected(SceneConnect.Reply(session: packing, reason: .resume, hold: 1))
  }

  @Test("of activities that come while one is on its way only the newest follows")
  func coalescing() {
    var harness = MachineHarness.with()
    let first = harness.take(.saved(packing, note(1), nil))
    #expect(first.asked == [saving(1)])
    for line in 2...9 { #expect(harness.take(.saved(packing, note(line), nil)) == []) }
    let next = harness.reply(to: first, .saved(SaveActivity.Reply(generation: 1)))
    #expect(next.asked == [saving(9)])
    #expect(harness.reply(to: next, .saved(SaveActivity.Reply(generation: 2))) == [])
  }

  @Test("what waits for a broker is not saved, though one that has just died takes the connection")
  func unsaved() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    #expect(harness.machine.unsavedSessions.isEmpty)
    harness.take(.lost)
    #expect(harness.machine.unsavedSessions == [packing])
    harness.take(.due(.reconnect))
    harness.take(.opened)
    #expect(harness.machine.unsavedSessions == [packing])
    harness.take(.lost)
    harness.meetAgain()
    #expect(harness.machine.unsavedSessions.isEmpty)
  }

  @Test("a save that waits is answered with the result of a newer save")
  func waiters() {
    var harness = MachineHarness.with()
    let tokens = (0..<3).map { _ in harness.token() }
    let first = harness.take(.saved(packing, note(1), tokens[0]))
    harness.take(.saved(packing, note(2), tokens[1]))
    harness.take(.saved(packing, note(3), tokens[2]))
    let next = harness.reply(to: first, .saved(SaveActivity.Reply(generation: 1)))
    #expect(next.finished[tokens[0]] == .success(.saved(SaveActivity.Reply(generation: 1))))
    let last = harness.reply(to: next, .saved(SaveActivity.Reply(generation: 2)))
    let second = Result<BrokerReply, SceneError>.success(
      .saved(SaveActivity.Reply(generation: 2)))
    #expect(last.finished == [tokens[1]: second, tokens[2]: second])
  }

  @Test("one scene's saves do not wait for another's")
  func independence() {
    var harness = MachineHarness.with()
    harness.bring(itinerary, to: .foregroundActive, hold: 2)
    harness.take(.saved(packing, note(1), nil))
    #expect(
      harness.take(.saved(itinerary, note(2), nil)).asked
        == [.saveActivity(SaveActivity(session: itinerary, activity: note(2)))])
  }

  @Test("what was not acknowledged goes along when the scene goes on")
  func carried() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    let again = harness.meetAgain()
    #expect(again.asked == [resuming(note(1))])
    #expect(harness.reply(to: again, resumed) == [.update(.resumed(packing))])
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [resuming(nil)], "it is known to be saved now")
  }

  @Test("of what was not acknowledged the newest goes along")
  func newestCarried() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.saved(packing, note(2), nil))
    harness.take(.lost)
    harness.take(.saved(packing, note(3), nil))
    #expect(harness.meetAgain().asked == [resuming(note(3))])
  }

  @Test("what waits is newer than what was on its way")
  func waitingCarried() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.saved(packing, note(2), nil))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [resuming(note(2))])
  }

  @Test("what was acknowledged does not go along")
  func acknowledged() {
    var harness = MachineHarness.with()
    let saved = harness.take(.saved(packing, note(1), nil))
    _ = harness.reply(to: saved, .saved(SaveActivity.Reply(generation: 1)))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [resuming(nil)])
  }

  @Test("what went along is sent again when the broker is lost before it replies")
  func carriedTwice() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    harness.meetAgain()
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [resuming(note(1))])
  }

  @Test("what was saved while the scene was going on is newer than what went along")
  func savedMeanwhile() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    harness.meetAgain()
    harness.take(.saved(packing, note(2), nil))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [resuming(note(2))])
  }

  @Test("what was saved behind a resume that is put off is saved when that succeeds")
  func savedBehindRefusal() {
    var harness = MachineHarness.with()
    harness.take(.lost)
    let resume = harness.meetAgain()
    let save = harness.take(.saved(packing, note(1), nil))
    #expect(save.asked == [saving(1)])
    _ = harness.refuse(resume, .shuttingDown, retry: .later)
    #expect(harness.refuse(save, .sessionNotHeld) == [])
    #expect(harness.take(.due(.again(packing))).asked == [resuming(note(1))])
  }

  @Test("what is too large for the next broker does not cost the scene")
  func tooLargeToCarry() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    let actions = harness.refuse(harness.meetAgain(), .tooLarge)
    #expect(actions.asked == [resuming(nil)])
    #expect(actions.first == .report(packing, note(1), SceneError(.tooLarge, "no")))
  }

  @Test(
    "a disk without room now costs neither the scene nor what went along",
    arguments: [SceneError.Code.storageFull, .tooMany])
  func noRoomToCarry(code: SceneError.Code) {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    let bare = harness.refuse(harness.meetAgain(), code, retry: .later)
    #expect(bare == [.send(.request(bare.requests[0].number, resuming(nil)))])
    let actions = harness.reply(to: bare, resumed)
    #expect(actions.updates == [.resumed(packing)])
    #expect(actions.asked == [saving(1)])
  }

  @Test("what is newer than what there was no room for is saved in its place")
  func noRoomForOlder() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    let resume = harness.meetAgain()
    let save = harness.take(.saved(packing, note(2), nil))
    let bare = harness.refuse(resume, .storageFull, retry: .later)
    #expect(bare.asked == [resuming(nil)])
    #expect(harness.refuse(save, .sessionNotHeld).asked == [saving(2)])
    #expect(harness.reply(to: bare, resumed).asked == [])
  }

  @Test("a scene that cannot go on even without its activity tries again, with it")
  func noRoomAtAll() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, note(1), nil))
    harness.take(.lost)
    let bare = harness.refuse(harness.meetAgain(), .storageFull, retry: .later)
    #expect(harness.refuse(bare, .storageFull, retry: .later).wakes == [.again(packing)])
    #expect(harness.take(.due(.again(packing))).asked == [resuming(note(1))])
  }

  @Test("what the disk was behind for is saved again a while later, the newest of it")
  func diskBehind() {
    var harness = MachineHarness.with()
    let tokens = (0..<2).map { _ in harness.token() }
    var save = harness.take(.saved(packing, note(1), tokens[0]))
    for line in 2...4 {
      let refused = harness.refuse(save, .tooMany, retry: .now)
      #expect(refused.count == 1)
      #expect(refused.wakes == [.save(packing)])
      #expect(harness.take(.saved(packing, note(line), nil)) == [], "it is not asked at once")
      save = harness.take(.due(.save(packing)))
      #expect(save.asked == [saving(line)])
    }
    let saved = harness.reply(to: save, .saved(SaveActivity.Reply(generation: 1)))
    #expect(saved.finished == [tokens[0]: .success(.saved(SaveActivity.Reply(generation: 1)))])
    #expect(harness.take(.saved(packing, note(5), tokens[1])).asked == [saving(5)])
  }

  @Test("what the disk was behind for goes along when the scene goes on with another broker")
  func diskBehindAndLost() {
    var harness = MachineHarness.with()
    _ = harness.refuse(harness.take(.saved(packing, note(1), nil)), .tooMany, retry: .now)
    harness.take(.lost)
    let again = harness.meetAgain()
    #expect(again.asked == [resuming(note(1))])
    _ = harness.reply(to: again, resumed)
    #expect(harness.take(.saved(packing, note(2), nil)).asked == [saving(2)])
    #expect(harness.take(.due(.save(packing))) == [])
  }

  @Test("a save that waits is answered by the broker that stores it")
  func waiterAcrossLoss() {
    var harness = MachineHarness.with()
    let token = harness.token()
    harness.take(.saved(packing, note(1), token))
    #expect(harness.take(.lost).finished.isEmpty)
    let again = harness.meetAgain()
    #expect(again.asked == [resuming(note(1)), saving(1)])
    let actions = harness.reply(to: again, .saved(SaveActivity.Reply(generation: 4)))
    #expect(actions.finished[token] == .success(.saved(SaveActivity.Reply(generation: 4))))
  }

  @Test("clearing is not forgotten with the broker")
  func cleared() {
    var harness = MachineHarness.with()
    harness.take(.saved(packing, nil, nil))
    harness.take(.lost)
    #expect(
      harness.meetAgain().asked
        == [resuming(nil), .saveActivity(SaveActivity(session: packing, activity: nil))])
  }

  @Test("the answer to the question for the activity goes along until the broker goes on")
  func answerCarried() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.ask(packing), .activity(.value(note(5))))
    var lost = harness
    lost.take(.lost)
    #expect(
      lost.meetAgain().asked == [
        .connect(
          SceneConnect(
            session: packing, resume: Resume(state: .background, hold: 1), activity: note(5)))
      ])
    harness.callAndAnswer(.willEnterForeground(SceneReference(session: packing)))
    harness.callAndAnswer(.didBecomeActive(SceneReference(session: packing)))
    harness.take(.lost)
    #expect(harness.meetAgain().asked == [resuming(nil)])
  }

  @Test("an answer that went along is known to be saved then")
  func answerCarriedOnce() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.ask(packing), .activity(.value(note(5))))
    harness.take(.lost)
    _ = harness.reply(to: harness.meetAgain(), resumed)
    harness.take(.lost)
    #expect(
      harness.meetAgain().asked
        == [.connect(SceneConnect(session: packing, resume: Resume(state: .background, hold: 1)))])
  }

  @Test("an answer is newer than what waits to be sent")
  func answerWins() {
    var harness = MachineHarness.with(in: .background)
    let first = harness.take(.saved(packing, note(1), nil))
    harness.take(.saved(packing, note(2), nil))
    harness.callAndAnswer(.ask(packing), .activity(.value(note(3))))
    let actions = harness.reply(to: first, .saved(SaveActivity.Reply(generation: 1)))
    #expect(actions.asked == [])
  }

  @Test("an answer that came too late for its connection is saved")
  func lateAnswer() {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(.ask(packing)).calls[0]
    harness.take(.lost)
    harness.take(.answered(call.number, .activity(.value(note(6)))))
    #expect(
      harness.meetAgain().asked == [
        .connect(
          SceneConnect(
            session: packing, resume: Resume(state: .background, hold: 1), activity: note(6)))
      ])
  }

  private func activity(bytes: Int) -> Activity {
    let frame = "{\"activityType\":\"note\",\"userInfo\":{\"x\":\"\"}}"
    let filling = String(repeating: "x", count: bytes - frame.utf8.count)
    let text = frame.replacing("\"\"", with: "\"\(filling)\"")
    return Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }

  @Test("an activity of as many bytes as the broker allows goes out, one more does not")
  func limit() {
    var harness = MachineHarness.with()
    let token = harness.token()
    let over = harness.take(.saved(packing, activity(bytes: 1001), token))
    #expect(over.asked.isEmpty)
    #expect(over.finished[token]?.code == .tooLarge)
    #expect(harness.take(.saved(packing, activity(bytes: 1000), nil)).asked.count == 1)
  }

  @Test("an assignment that cannot be kept is reported")
  func reported() {
    var harness = MachineHarness.with()
    let large = activity(bytes: 1001)
    let actions = harness.take(.saved(packing, large, nil))
    guard case .report(packing, large, let error)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .tooLarge)
    let full = harness.refuse(harness.take(.saved(packing, note(1), nil)), .storageFull)
    #expect(full == [.report(packing, note(1), SceneError(.storageFull, "no"))])
  }

  @Test("an answer that is too large leaves what was saved, and is reported")
  func answerTooLarge() {
    var harness = MachineHarness.with(in: .background)
    let large = activity(bytes: 1001)
    let actions = harness.callAndAnswer(.ask(packing), .activity(.value(large)))
    #expect(actions.answers == [.activity(.absent)])
    guard case .report(packing, large, let error)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .tooLarge)
  }

  @Test("nothing is saved for a scene that is not here")
  func noScene() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    #expect(
      harness.take(.saved(packing, note(1), token)).finished[token]?.code == .sessionNotHeld)
  }

  @Test("what waits to be saved when a scene ends comes too late")
  func tooLate() {
    var harness = MachineHarness.with(in: .background)
    harness.take(.saved(packing, note(1), nil))
    let token = harness.token()
    harness.take(.saved(packing, note(2), token))
    let actions = harness.call(.didDisconnect(packing, .replaced))
    #expect(actions.finished[token]?.code == .sessionNotHeld)
  }
}
