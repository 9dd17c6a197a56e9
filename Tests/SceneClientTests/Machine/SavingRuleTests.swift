import SceneJSON
import SceneModel
import Testing

@testable import SceneClient

/// Saves of activities: one is in flight, only the newest waits, and none is lost with the broker.
struct SavingRuleTests {
  private func saving(_ line: Int) -> ClientRequest {
    ClientRequest(SaveActivity(session: packing, activity: note(line)))
  }

  private func resuming(_ activity: Activity?) -> ClientRequest {
    ClientRequest(
      SceneConnect(
        session: packing, resume: Resume(state: .foregroundActive, hold: 1), activity: activity))
  }

  @Test("only the newest activity follows a save in flight")
  func coalescing() {
    var harness = MachineHarness.with()
    let first = harness.take(.saveRequested(packing, note(1), nil))
    #expect(first.asked == [saving(1)])
    for line in 2...9 { #expect(harness.take(.saveRequested(packing, note(line), nil)) == []) }
    let next = harness.reply(to: first, SaveActivity.Reply(generation: 1))
    #expect(next.asked == [saving(9)])
    #expect(
      harness.reply(to: next, SaveActivity.Reply(generation: 2)) == [.saved(packing, note(9))])
  }

  @Test("an activity that waits is unsaved until a broker has answered initialize")
  func unsaved() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    #expect(harness.machine.unsavedSessions.isEmpty)
    harness.take(.lost())
    #expect(harness.machine.unsavedSessions == [packing])
    harness.take(.due(.reconnect))
    harness.take(.opened)
    #expect(harness.machine.unsavedSessions == [packing])
    harness.meetNext()
    #expect(harness.machine.unsavedSessions.isEmpty)
  }

  @Test("a waiting save gets the result of a newer save")
  func waiters() {
    var harness = MachineHarness.with()
    let tokens = (0..<3).map { _ in harness.token() }
    let first = harness.take(.saveRequested(packing, note(1), tokens[0]))
    harness.take(.saveRequested(packing, note(2), tokens[1]))
    harness.take(.saveRequested(packing, note(3), tokens[2]))
    let next = harness.reply(to: first, SaveActivity.Reply(generation: 1))
    #expect(next.finished[tokens[0]] == .success(BrokerReply(SaveActivity.Reply(generation: 1))))
    let last = harness.reply(to: next, SaveActivity.Reply(generation: 2))
    let second = Result<BrokerReply, SceneError>.success(
      BrokerReply(SaveActivity.Reply(generation: 2)))
    #expect(last.finished == [tokens[1]: second, tokens[2]: second])
  }

  @Test("the saves of one scene do not wait for those of another")
  func independence() {
    var harness = MachineHarness.with()
    harness.bring(itinerary, to: .foregroundActive, hold: 2)
    harness.take(.saveRequested(packing, note(1), nil))
    #expect(
      harness.take(.saveRequested(itinerary, note(2), nil)).asked
        == requests(SaveActivity(session: itinerary, activity: note(2))))
  }

  @Test("a resume contains the unacknowledged activity")
  func carried() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    let again = harness.meetNext()
    #expect(again.asked == [resuming(note(1))])
    #expect(
      harness.reply(to: again, .resumed) == [.saved(packing, note(1)), .update(.resumed(packing))])
    #expect(harness.meetNext().asked == [resuming(nil)], "the activity is saved now")
  }

  enum Step: Sendable { case save(Int), acknowledge, lose, meet }

  @Test(
    "a resume contains the newest activity that the broker may lack",
    arguments: [
      ([.save(1), .save(2), .lose, .save(3)], 3), ([.save(1), .save(2), .lose], 2),
      ([.save(1), .acknowledge, .lose], nil), ([.save(1), .lose, .meet, .lose], 1),
      ([.save(1), .lose, .meet, .save(2), .lose], 2),
    ] as [([Step], Int?)])
  func newestCarried(steps: [Step], line: Int?) {
    var harness = MachineHarness.with()
    var sent: [ClientAction] = []
    for step in steps {
      switch step {
      case .save(let line): sent = harness.take(.saveRequested(packing, note(line), nil))
      case .acknowledge: sent = harness.reply(to: sent, SaveActivity.Reply(generation: 1))
      case .lose: sent = harness.take(.lost())
      case .meet: sent = harness.meetAgain()
      }
    }
    #expect(harness.meetAgain().asked == [resuming(line.map(note))])
  }

  @Test("a save after a postponed resume is part of the next resume")
  func savedBehindRefusal() {
    var harness = MachineHarness.with()
    let resume = harness.meetNext()
    let save = harness.take(.saveRequested(packing, note(1), nil))
    #expect(save.asked == [saving(1)])
    _ = harness.refuse(resume, .shuttingDown, retry: .later)
    #expect(harness.refuse(save, .sessionNotHeld) == [])
    #expect(harness.take(.due(.again(packing))).asked == [resuming(note(1))])
  }

  @Test("a scene resumes without an activity that is too large for the next broker")
  func tooLargeToCarry() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    let actions = harness.refuse(harness.meetNext(), .tooLarge)
    #expect(actions.asked == [resuming(nil)])
    #expect(actions.first == .report(packing, note(1), SceneError(.tooLarge, "no")))
  }

  @Test(
    "on a full disk a scene resumes without its activity, and saves it afterwards",
    arguments: [SceneError.Code.storageFull, .tooMany])
  func noRoomToCarry(code: SceneError.Code) {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    let bare = harness.refuse(harness.meetNext(), code, retry: .later)
    #expect(bare == [.send(.request(bare.requests[0].number, resuming(nil)))])
    let actions = harness.reply(to: bare, .resumed)
    #expect(actions.updates == [.resumed(packing)])
    #expect(actions.asked == [saving(1)])
  }

  @Test("a newer activity replaces one for which the disk had no space")
  func noRoomForOlder() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    let resume = harness.meetNext()
    let save = harness.take(.saveRequested(packing, note(2), nil))
    let bare = harness.refuse(resume, .storageFull, retry: .later)
    #expect(bare.asked == [resuming(nil)])
    #expect(harness.refuse(save, .sessionNotHeld).asked == [saving(2)])
    #expect(harness.reply(to: bare, .resumed).asked == [])
  }

  @Test("a scene that cannot resume even without its activity tries again with the activity")
  func noRoomAtAll() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, note(1), nil))
    let bare = harness.refuse(harness.meetNext(), .storageFull, retry: .later)
    #expect(harness.refuse(bare, .storageFull, retry: .later).wakes == [.again(packing)])
    #expect(harness.take(.due(.again(packing))).asked == [resuming(note(1))])
  }

  @Test("the newest activity is saved again some time after the broker refuses a save as tooMany")
  func diskBehind() {
    var harness = MachineHarness.with()
    let tokens = (0..<2).map { _ in harness.token() }
    var save = harness.take(.saveRequested(packing, note(1), tokens[0]))
    for line in 2...4 {
      let refused = harness.refuse(save, .tooMany, retry: .now)
      #expect(refused.count == 1)
      #expect(refused.wakes == [.save(packing)])
      #expect(
        harness.take(.saveRequested(packing, note(line), nil)) == [],
        "the save is not repeated at once")
      save = harness.take(.due(.save(packing)))
      #expect(save.asked == [saving(line)])
    }
    let saved = harness.reply(to: save, SaveActivity.Reply(generation: 1))
    #expect(saved.finished == [tokens[0]: .success(BrokerReply(SaveActivity.Reply(generation: 1)))])
    #expect(harness.take(.saveRequested(packing, note(5), tokens[1])).asked == [saving(5)])
  }

  @Test("a resume contains an activity that the lost broker refused as tooMany")
  func diskBehindAndLost() {
    var harness = MachineHarness.with()
    _ = harness.refuse(harness.take(.saveRequested(packing, note(1), nil)), .tooMany, retry: .now)
    let again = harness.meetNext()
    #expect(again.asked == [resuming(note(1))])
    _ = harness.reply(to: again, .resumed)
    #expect(harness.take(.saveRequested(packing, note(2), nil)).asked == [saving(2)])
    #expect(harness.take(.due(.save(packing))) == [])
  }

  @Test("a waiting save gets the reply of the broker that stores the activity")
  func waiterAcrossLoss() {
    var harness = MachineHarness.with()
    let token = harness.token()
    harness.take(.saveRequested(packing, note(1), token))
    #expect(harness.take(.lost()).finished.isEmpty)
    let again = harness.meetAgain()
    #expect(again.asked == [resuming(note(1)), saving(1)])
    let actions = harness.reply(to: again, SaveActivity.Reply(generation: 4))
    #expect(actions.finished[token] == .success(BrokerReply(SaveActivity.Reply(generation: 4))))
  }

  @Test("a cleared activity is also cleared at the next broker")
  func cleared() {
    var harness = MachineHarness.with()
    harness.take(.saveRequested(packing, nil, nil))
    #expect(
      harness.meetNext().asked == [
        resuming(nil), ClientRequest(SaveActivity(session: packing, activity: nil)),
      ])
  }

  @Test("a resume contains the answer with the activity until the broker sends another callback")
  func answerCarried() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.ask(packing), .activity(.value(note(5))))
    var lost = harness
    #expect(
      lost.meetNext().asked
        == requests(
          SceneConnect(
            session: packing, resume: Resume(state: .background, hold: 1), activity: note(5))))
    harness.callAndAnswer(Callback(.willEnterForeground, of: packing))
    harness.callAndAnswer(Callback(.didBecomeActive, of: packing))
    #expect(harness.meetNext().asked == [resuming(nil)])
  }

  @Test("an answer in a successful resume counts as saved")
  func answerCarriedOnce() {
    var harness = MachineHarness.with(in: .background)
    harness.callAndAnswer(.ask(packing), .activity(.value(note(5))))
    _ = harness.reply(to: harness.meetNext(), .resumed)
    #expect(
      harness.meetNext().asked
        == requests(SceneConnect(session: packing, resume: Resume(state: .background, hold: 1))))
  }

  @Test("an answer is newer than a waiting save")
  func answerWins() {
    var harness = MachineHarness.with(in: .background)
    let first = harness.take(.saveRequested(packing, note(1), nil))
    harness.take(.saveRequested(packing, note(2), nil))
    harness.callAndAnswer(.ask(packing), .activity(.value(note(3))))
    let actions = harness.reply(to: first, SaveActivity.Reply(generation: 1))
    #expect(actions.asked == [])
  }

  @Test("an answer after the loss of its connection is saved")
  func lateAnswer() {
    var harness = MachineHarness.with(in: .background)
    let call = harness.call(.ask(packing)).calls[0]
    harness.take(.lost())
    harness.take(.answered(call.number, .activity(.value(note(6)))))
    #expect(
      harness.meetAgain().asked
        == requests(
          SceneConnect(
            session: packing, resume: Resume(state: .background, hold: 1), activity: note(6))))
  }

  private func activity(bytes: Int) -> Activity {
    let frame = "{\"activityType\":\"note\",\"userInfo\":{\"x\":\"\"}}"
    let filling = String(repeating: "x", count: bytes - frame.utf8.count)
    let text = frame.replacing("\"\"", with: "\"\(filling)\"")
    return Activity(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
  }

  @Test("an activity at the broker's limit is sent, and one byte more is not")
  func limit() {
    var harness = MachineHarness.with()
    let token = harness.token()
    let over = harness.take(.saveRequested(packing, activity(bytes: 1001), token))
    #expect(over.asked.isEmpty)
    #expect(over.finished[token]?.code == .tooLarge)
    #expect(harness.take(.saveRequested(packing, activity(bytes: 1000), nil)).asked.count == 1)
  }

  @Test("an assignment that cannot be saved is reported")
  func reported() {
    var harness = MachineHarness.with()
    let large = activity(bytes: 1001)
    let actions = harness.take(.saveRequested(packing, large, nil))
    guard case .report(packing, large, let error)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .tooLarge)
    let full = harness.refuse(harness.take(.saveRequested(packing, note(1), nil)), .storageFull)
    #expect(full == [.report(packing, note(1), SceneError(.storageFull, "no"))])
  }

  @Test("an answer that is too large leaves the saved activity, and is reported")
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

  @Test("a save for an unknown scene fails")
  func noScene() {
    var harness = MachineHarness.ready()
    let token = harness.token()
    #expect(
      harness.take(.saveRequested(packing, note(1), token)).finished[token]?.code == .sessionNotHeld
    )
  }

  @Test("a save that waits when its scene ends fails")
  func tooLate() {
    var harness = MachineHarness.with(in: .background)
    harness.take(.saveRequested(packing, note(1), nil))
    let token = harness.token()
    harness.take(.saveRequested(packing, note(2), token))
    let actions = harness.call(.didDisconnect(packing, .replaced))
    #expect(actions.finished[token]?.code == .sessionNotHeld)
  }
}
