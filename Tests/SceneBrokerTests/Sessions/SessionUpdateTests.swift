import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// Saves and updates of sessions.
final class SessionUpdateTests: BrokerSuite {
  private func save(_ session: SessionIdentifier, _ activity: Activity?) -> any RequestMessage {
    SaveActivity(session: session, activity: activity)
  }

  @Test("each save makes a generation, except of the same bytes, and three are kept")
  func generations() {
    let session = scene.become("packing")
    #expect(scene.hears(save(session, note(1))) == ["3 generation 1"])
    #expect(scene.hears(save(session, note(1))) == ["4 generation 1"])
    #expect(scene.hears(save(session, note(2))) == ["5 generation 2"])
    #expect(scene.hears(save(session, note(3))) == ["6 generation 3"])
    #expect(scene.hears(save(session, note(4))) == ["7 generation 4"])
    #expect(fixture.stored(session)?.generations.map(\.number) == [2, 3, 4])
    #expect(scene.hears(save(session, note(2))) == ["8 generation 5"])
  }

  @Test("the trace has a remark when an activity becomes large, not at each later save")
  func large() {
    let session = scene.become("packing")
    let limit = Limits().largeActivityBytes
    for byteCount in [limit - 1, limit, limit + 1, 100, limit + 1] {
      scene.ask(save(session, note(byteCount: byteCount)))
    }
    let saves = fixture.trace.filter { $0.event == .saved }
    #expect(saves.map { $0.detail != nil } == [false, true, false, false, true])
  }

  @Test("the trace names the client of a save that is not the scene's own")
  func savedByOthers() {
    let session = scene.become("packing")
    let large = note(byteCount: Limits().largeActivityBytes)
    scene.ask(save(session, note(1)))
    control.ask(save(session, note(2)))
    control.ask(save(session, large))
    scene.close()
    control.ask(save(session, note(3)))
    let details = fixture.trace.filter { $0.event == .saved }.map(\.wholeDetail)
    #expect(details.count == 4)
    #expect(details[0] == nil)
    #expect(details[1] == "by scenectl 102")
    #expect(details[2]?.hasPrefix("the activity is large: \(large.byteCount) bytes") == true)
    #expect(details[2]?.hasSuffix("(by scenectl 102)") == true)
    #expect(details[3] == "by scenectl 102")
  }

  @Test("null makes a generation without an activity")
  func null() {
    let session = scene.become("packing")
    #expect(scene.hears(save(session, nil)) == ["3 generation 1"])
    #expect(scene.hears(save(session, nil)) == ["4 generation 1"])
    #expect(scene.hears(save(session, note(1))) == ["5 generation 2"])
    #expect(scene.hears(save(session, nil)) == ["6 generation 3"])
    #expect(fixture.stored(session)?.activity == nil)
    scene.ask(SceneDisconnect(session: session))
    scene.ask(SceneConnect(session: session))
    #expect(scene.heard.last == "willConnect S1 restore 2")
  }

  @Test("a saved activity keeps its bytes")
  func bytes() {
    let session = scene.become("packing")
    let odd = activity(
      #"{ "userInfo" : {"n":9007199254740993, "x": 1.00000000000000000001,"#
        + #""s":"\u0041"}, "activityType":"a"}"#
    )
    scene.ask(save(session, odd))
    #expect(fixture.stored(session)?.activity?.json.bytes == odd.json.bytes)
  }

  @Test("only the holder or a control can save")
  func who() {
    let session = scene.become("packing")
    #expect(other.hears(save(session, note(1))) == ["2 sessionNotHeld"])
    #expect(control.hears(save(session, note(1))) == ["2 generation 1"])
    scene.close()
    #expect(other.hears(save(session, note(2))) == ["3 sessionNotHeld"])
    #expect(control.hears(save(session, note(2))) == ["3 generation 2"])
    #expect(
      control.hears(save(SessionIdentifier(high: 9, low: 9), nil)) == ["4 sessionNotFound"])
  }

  @Test("a failed save never replaces a good one")
  func failed() {
    let session = scene.become("packing")
    scene.ask(save(session, note(1)))
    fixture.handle(.storage(.full))
    #expect(scene.hears(save(session, note(2))) == ["4 storageFull later"])
    #expect(scene.hears(save(session, note(1))) == ["5 generation 1"])
    #expect(scene.hears(save(session, nil)) == ["6 generation 2"])
    fixture.handle(.storage(.behind))
    #expect(scene.hears(save(session, note(2))) == ["7 tooMany now"])
    fixture.handle(.storage(.exhausted))
    #expect(scene.hears(save(session, note(2))) == ["8 storageFull later"])
    fixture.handle(.storage(.ok))
    #expect(scene.hears(save(session, note(2))) == ["9 generation 3"])
  }

  @Test("userInfo, title, subtitle and snapshot can be changed; null removes them")
  func update() {
    let session = scene.become("packing")
    #expect(
      scene.hears(
        SceneUpdate(
          session: session, title: .value("A"), subtitle: .value("B"), snapshot: .value("C")))
        == ["3 {}"])
    scene.ask(SceneUpdate(session: session, subtitle: .null))
    scene.ask(SetUserInfo(session: session, userInfo: object(#"{"a":1}"#)))
    let attributes = fixture.stored(session)?.attributes
    #expect(attributes?.title == "A")
    #expect(attributes?.subtitle == nil)
    #expect(attributes?.snapshot == "C")
    #expect(attributes?.userInfo == object(#"{"a":1}"#))
  }

  @Test("a connect and an update store a program, and null removes it")
  func program() {
    let vim = SessionProgram(arguments: ["vim", "a b"], directory: "/home/ann")
    let session = scene.become(SceneConnect(name: "packing", program: vim))
    #expect(fixture.stored(session)?.attributes.program == vim)
    #expect(fixture.records.count { if case .session = $0 { true } else { false } } == 1)
    var other = vim
    (other.resume, other.reopens) = (["vim", "-r"], false)
    #expect(
      scene.hears(SceneUpdate(session: session, program: .value(other))) == ["3 {}"])
    #expect(fixture.stored(session)?.attributes.program == other)
    scene.ask(SceneDisconnect(session: session))
    scene.become(SceneConnect(name: "packing"))
    #expect(fixture.stored(session)?.attributes.program == other)
    scene.ask(SceneDisconnect(session: session))
    // The same command keeps its resume command, and another command has none.
    scene.become(SceneConnect(name: "packing", program: vim))
    other.reopens = true
    #expect(fixture.stored(session)?.attributes.program == other)
    scene.ask(SceneDisconnect(session: session))
    let shell = SessionProgram(arguments: ["sh"], directory: "/home/ann")
    scene.become(SceneConnect(name: "packing", program: shell))
    #expect(fixture.stored(session)?.attributes.program == shell)
    scene.ask(SceneUpdate(session: session, program: .null))
    #expect(fixture.stored(session)?.attributes.program == nil)
  }

  @Test("an update stores the placement of a window as it is, and null removes it")
  func placement() {
    let session = scene.become("packing")
    let place = object(#"{"own":[1],"prompt":true}"#)
    scene.ask(SceneUpdate(session: session, placement: .value(place)))
    #expect(fixture.stored(session)?.attributes.placement == place)
    scene.ask(SceneUpdate(session: session, title: .value("A")))
    #expect(fixture.stored(session)?.attributes.placement == place)
    let large = object(#"{"a":"\#(String(repeating: "x", count: ScenePlacement.byteLimit))"}"#)
    scene.ask(SceneUpdate(session: session, placement: .value(large)))
    #expect(scene.lastError?.message.contains("placement") == true)
    scene.ask(SceneUpdate(session: session, placement: .null))
    #expect(fixture.stored(session)?.attributes.placement == nil)
  }

  @Test("lists and the trace name the program that the session's client runs, without a record")
  func process() {
    let session = scene.become("packing")
    func labels() -> [String?] {
      scene.ask(SceneUpdate(session: session, problem: "odd"))
      control.ask(SessionShow(session: session))
      let details = control.lastReply?.content as? SessionDetails
      return [
        details?.summary.client?.label, fixture.trace.last { $0.event == .reported }?.client?.label,
      ]
    }
    func state(_ process: Patch<ProgramProcess>) -> any RequestMessage {
      SceneUpdate(session: session, process: process)
    }
    let own = labels()
    let count = fixture.records.count
    scene.ask(state(.value(ProgramProcess(name: "vim", pid: 4712))))
    #expect(labels() == ["vim 4712", "vim 4712"])
    #expect(control.hears(state(.null)).last?.hasSuffix("requestDenied") == true)
    for wrong in [ProgramProcess(name: "vim", pid: 0), ProgramProcess(name: "", pid: 4712)] {
      scene.ask(state(.value(wrong)))
      #expect(scene.lastError?.reason == .invalidParams)
    }
    control.ask(SessionObserve())
    control.forget()
    scene.ask(state(.value(ProgramProcess(name: "vim", pid: 4712))))
    #expect(control.heard == [])
    scene.ask(state(.null))
    #expect(control.heard == ["changed S1 foregroundActive"])
    #expect(labels() == own)
    #expect(fixture.records.count == count)
    var kept = ProgramProcess(name: "vim", pid: 4712)
    kept.terminal = KeptTerminal(attached: 0, detached: .hangup, since: 1)
    scene.ask(SceneUpdate(session: session, process: .value(kept), problem: "closed"))
    let report = fixture.trace.last { $0.event == .reported }
    #expect(report?.reason == "hangup" && report?.detail == "closed")
  }

  @Test("a scene whose last window was closed is on the list of open windows, and no other one")
  func lostWindow() {
    let session = scene.become(SceneConnect(name: "packing"))
    func isListed(_ terminal: KeptTerminal) -> Bool {
      scene.ask(
        SceneUpdate(
          session: session,
          process: .value(ProgramProcess(name: "vim", pid: 4712, terminal: terminal))))
      control.ask(SessionList(wasOpen: true))
      let page = control.lastReply?.content as? SessionList.Reply
      #expect(page?.sessions.allSatisfy { $0.client?.terminal == terminal } == true)
      return page?.sessions.count == 1
    }
    #expect(!isListed(KeptTerminal(attached: 1)))
    #expect(!isListed(KeptTerminal(attached: 0, detached: .stopped, since: 5)))
    #expect(isListed(KeptTerminal(attached: 0, detached: .hangup, since: 5)))
  }

  @Test("an update that changes nothing makes no record")
  func noRecord() {
    let session = scene.become(SceneConnect(name: "packing", title: "A"))
    scene.ask(save(session, note(1)))
    let count = fixture.records.count
    scene.ask(SceneUpdate(session: session, title: .value("A")))
    scene.ask(SetName(session: session, name: "packing"))
    scene.ask(save(session, note(1)))
    #expect(fixture.records.count == count)
  }

  @Test("a name belongs to one session, and is free when the session drops it")
  func names() {
    let (one, two) = (scene.become("one"), scene.become("two"))
    #expect(scene.hears(SetName(session: two, name: "one")) == ["4 nameInUse"])
    #expect(scene.hears(SetName(session: one, name: nil)) == ["5 {}"])
    #expect(scene.hears(SetName(session: two, name: "one")) == ["6 {}"])
    #expect(fixture.broker.store.listed(named: "one") == two)
    #expect(fixture.broker.store.listed(named: "two") == nil)
    #expect(scene.hears(SetName(session: two, name: "")) == ["7 invalidParams"])
  }
}
