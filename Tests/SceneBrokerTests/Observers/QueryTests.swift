import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// Requests that only read, and the observers of sessions.
final class QueryTests: BrokerSuite {
  @Test("the list pages in the order of identifiers")
  func pages() {
    for number in 0..<5 { scene.become("\(number)") }
    #expect(control.hears(SessionList(limit: 2)) == ["2 sessions [S1 S2] next S2"])
    let two = SessionIdentifier(high: 0, low: 2)
    #expect(
      control.hears(SessionList(after: two, limit: 2)) == ["3 sessions [S3 S4] next S4"])
    let four = SessionIdentifier(high: 0, low: 4)
    #expect(control.hears(SessionList(after: four, limit: 2)) == ["4 sessions [S5]"])
    // A full last page has no next page.
    #expect(
      control.hears(SessionList(after: SessionIdentifier(high: 0, low: 3), limit: 2))
        == ["5 sessions [S4 S5]"])
    #expect(
      control.hears(SessionList(after: SessionIdentifier(high: 9, low: 0)))
        == ["6 sessions []"])
  }

  @Test(
    "a page has 1 to 1000 sessions",
    arguments: [(0, false), (1, true), (1000, true), (1001, false)])
  func limit(limit: Int, isTaken: Bool) {
    let heard = control.hears(SessionList(limit: limit))
    #expect(heard == [isTaken ? "2 sessions []" : "2 invalidParams"])
  }

  @Test("a list can be narrowed by everything it shows, and by members of userInfo")
  func filters() {
    let fixture = BrokerFixture(.hosting("Note", "Tool"))
    let (notes, tools) = (fixture.client("notes"), fixture.client("tools"))
    notes.become(SceneConnect(new: true, userInfo: object(#"{"a":{"b":[1,2.0]},"c":"d"}"#)))
    notes.become(SceneConnect(new: true, background: true, userInfo: object(#"{"a":1}"#)))
    tools.become(SceneConnect(new: true, configuration: "Tool"))
    tools.ask(SceneDisconnect(session: SessionIdentifier(high: 0, low: 3)))
    let control = fixture.control()
    let cases: [(SessionList, String)] = [
      (SessionList(state: .background), "S2"), (SessionList(state: .unattached), "S3"),
      (SessionList(role: .windowExternalDisplay), ""), (SessionList(configuration: "Tool"), "S3"),
      (SessionList(client: "notes"), "S1 S2"), (SessionList(client: "tools"), ""),
      (SessionList(matching: object(#"{"a":1}"#)), "S2"),
      (SessionList(matching: object(#"{"c":"\u0064"}"#)), "S1"),
      (SessionList(matching: object(#"{ "a" : { "b" : [1, 2.0] } }"#)), "S1"),
      (SessionList(matching: object(#"{"a":{}}"#)), ""),
      (SessionList(matching: .empty), "S1 S2 S3"),
      (SessionList(state: .background, client: "notes", matching: object(#"{"a":1}"#)), "S2"),
    ]
    for (number, (filter, found)) in cases.enumerated() {
      #expect(control.hears(filter) == ["\(2 + number) sessions [\(found)]"])
    }
  }

  @Test("a page reads a limited amount of userInfo, so a search for a rare value takes more pages")
  func rare() {
    let filler = String(repeating: "x", count: 60_000)
    for number in 1...40 {
      let userInfo = object(#"{"n":\#(number),"filler":"\#(filler)"}"#)
      scene.become(SceneConnect(new: true, background: true, userInfo: userInfo))
    }
    var message = SessionList(matching: object(#"{"n":40}"#))
    var pages: [SessionList.Reply] = []
    repeat {
      control.ask(message)
      guard let page = control.lastReply?.content as? SessionList.Reply else { break }
      pages.append(page)
      message.after = page.next
    } while message.after != nil && pages.count < 100
    // Seventeen fit.
    #expect(pages.map(\.next?.low) == [17, 34, nil])
    #expect(pages.map { $0.sessions.map(\.session.low) } == [[], [], [40]])
  }

  @Test("a new session and a discarded one show in the next list")
  func listChanges() {
    #expect(control.hears(SessionList()) == ["2 sessions []"])
    let one = scene.become("one")
    #expect(control.hears(SessionList()) == ["3 sessions [S1]"])
    scene.become("two")
    #expect(control.hears(SessionList()) == ["4 sessions [S1 S2]"])
    control.ask(RequestDestruction(sessions: [one]))
    scene.acknowledgeAll()
    control.forget()
    #expect(control.hears(SessionList()) == ["6 sessions [S2]"])
  }

  @Test("a session is shown by identifier or by name, not by both and not by none")
  func show() {
    let session = scene.become("packing")
    #expect(
      control.hears(SessionShow(session: session)) == ["2 shown S1 foregroundActive"])
    #expect(control.hears(SessionShow(name: "packing")) == ["3 shown S1 foregroundActive"])
    #expect(
      control.hears(SessionShow(session: session, name: "packing")) == ["4 invalidParams"])
    #expect(control.hears(SessionShow()) == ["5 invalidParams"])
    #expect(control.hears(SessionShow(name: "no")) == ["6 sessionNotFound"])
  }

  @Test("a word is resolved as a name, an identifier or a unique prefix, in this order")
  func resolve() {
    func resolved(_ word: String) -> String? {
      control.hears(SessionResolve(word: word)).last?.split(separator: " ", maxSplits: 1)
        .last.map(String.init)
    }
    let zeros = SessionIdentifier.none.description.dropLast()
    #expect(resolved("0000") == "sessionNotFound")
    scene.become("packing")
    #expect(resolved("packing") == "resolved S1 [] 0")
    #expect(resolved("0000") == "resolved S1 [] 0")
    #expect(resolved("\(zeros)1") == "resolved S1 [] 0")
    #expect(resolved("\(zeros)2") == "sessionNotFound")
    scene.become("0000")
    scene.become("third")
    #expect(resolved("0000") == "resolved S2 [S1] 2")
    #expect(resolved("00000") == "resolved ambiguous [S1 S2 S3] 3")
    #expect(resolved(String(zeros)) == "resolved ambiguous [S1 S2 S3] 3")
    #expect(resolved("\(zeros)3") == "resolved S3 [] 0")
    #expect(resolved("000") == "sessionNotFound")
    #expect(resolved("") == "sessionNotFound")
    for number in 4...20 { scene.become("session \(number)") }
    #expect(resolved("00000") == "resolved ambiguous [S1 S2 S3 S4 S5 S6 S7 S8] 20")
  }

  @Test("session/show has every attribute, the scene and the generations")
  func details() throws {
    let session = scene.become(
      SceneConnect(name: "packing", title: "Packing", userInfo: object(#"{"a":1}"#)))
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.ask(SceneUpdate(session: session, snapshot: .value("###")))
    control.move(session, .background)
    control.ask(SessionShow(session: session))
    let shown = try #require(control.lastReply?.content as? SessionDetails)
    #expect(shown.sceneSession.stateRestorationActivity == note(1))
    #expect(shown.sceneSession.userInfo == object(#"{"a":1}"#))
    #expect(shown.sceneSession.title == "Packing")
    #expect(shown.summary.name == "packing")
    #expect(shown.summary.state == .foregroundActive)
    #expect(shown.summary.target == .background)
    #expect(shown.summary.client?.name == "notes")
    #expect(shown.summary.client?.pid == scene.process.pid)
    #expect(shown.summary.client?.startTime == scene.process.startTime)
    let connected = try #require(fixture.trace.last { $0.event == .connected })
    #expect(connected.client?.startTime == scene.process.startTime)
    #expect(shown.summary.generation == 1)
    #expect(shown.summary.lastUsed == BrokerFixture.start.wall)
    #expect(shown.summary.disconnect == nil)
    #expect(shown.snapshot == "###")
  }

  @Test("changes are merged for each round, and the newest is told")
  func observe() {
    #expect(control.hears(SessionObserve()) == ["2 {}"])
    fixture.endsRounds = false
    scene.ask(SceneConnect(name: "one"))
    scene.ask(SceneConnect(name: "two"))
    scene.acknowledge()
    #expect(control.heard == [])
    fixture.endRound()
    #expect(
      control.heard == [
        "changed S1 background to foregroundActive", "changed S2 unattached to foregroundActive",
      ])
    fixture.endRound()
    #expect(control.heard == [])
  }

  @Test("observers learn that a session created and discarded in one round is gone")
  func observeGone() {
    control.ask(SessionObserve())
    control.forget()
    fixture.endsRounds = false
    scene.ask(SceneConnect(name: "one"))
    scene.acknowledge(.failed(message: "no"))
    fixture.endRound()
    #expect(control.heard == ["discarded S1"])
  }

  @Test("one change of a session waits for the disk; the next one has all later changes")
  func mergedBehindTheDisk() {
    let session = scene.become("one")
    let other = scene.become("two")
    fixture.sync()
    control.ask(SessionObserve())
    control.forget()
    func setTitle(_ session: SessionIdentifier, _ title: String) {
      scene.ask(SceneUpdate(session: session, title: .value(title)))
    }
    for number in 1...100 { setTitle(session, "A\(number)") }
    #expect(control.heard.count == 1)
    setTitle(other, "B")
    #expect(control.heard == ["changed S2 foregroundActive"])
    fixture.sync()
    #expect(control.heard == ["changed S1 foregroundActive"])
    guard case .notification(.sessionChanged(let summary))? = fixture.sent.last?.message else {
      Issue.record("nothing was told")
      return
    }
    #expect(summary.title == "A100")
    fixture.sync()
    #expect(control.heard == [])
  }

  @Test("the reply to settle follows every change")
  func toldBeforeQuiet() {
    let session = scene.become("one")
    fixture.sync()
    control.ask(SessionObserve())
    control.forget()
    for title in ["A", "B"] {
      scene.ask(SceneUpdate(session: session, title: .value(title)))
    }
    control.forget()
    #expect(
      control.hears(Settle()) == ["changed S1 foregroundActive", "3 {}"])
  }

  @Test("observers learn of every change of a list")
  func observeAll() {
    let session = scene.become("one")
    control.ask(SessionObserve())
    let requests: [any RequestMessage] = [
      SaveActivity(session: session, activity: note(1)),
      SceneUpdate(session: session, title: .value("A")),
      SetName(session: session, name: "else"),
      SceneTransition(session: session, to: .background),
      RequestActivation(session: session),
      RequestDestruction(sessions: [session]),
    ]
    for request in requests {
      fixture.sync()
      control.forget()
      scene.ask(request)
      #expect(control.heard.count == 1, "\(request)")
    }
  }

  @Test("an observer that observes twice gets each change once")
  func observeTwice() {
    control.ask(SessionObserve())
    control.ask(SessionObserve())
    control.forget()
    scene.ask(SceneConnect(name: "one"))
    #expect(control.heard.count == 1)
  }

  @Test("the status has the numbers of sessions, scenes and connections")
  func status() throws {
    // A client that is not initialized is not counted.
    _ = fixture.open()
    scene.become("one")
    scene.become("two")
    scene.ask(SceneDisconnect(session: SessionIdentifier(high: 0, low: 2)))
    fixture.handle(.storage(.full))
    control.ask(ApplicationStatus())
    let status = try #require(control.lastReply?.content as? ApplicationStatus.Reply)
    #expect(status.name == "test")
    #expect(status.phase == .active)
    #expect(status.sessions == 2)
    #expect(status.scenes == 1)
    #expect(status.connections == 2)
    #expect(status.durability == "disk")
    #expect(status.manifest == "built-in")
    #expect(status.startedAt == BrokerFixture.start.wall)
    #expect(status.now == fixture.now.wall)
    #expect(status.storage == "full")
    #expect(status.delegate == nil)
    let delegate = fixture.delegate()
    control.ask(ApplicationStatus())
    guard let status = control.lastReply?.content as? ApplicationStatus.Reply else { return }
    #expect(status.delegate == fixture.broker.clients[delegate.connection]?.client)
    #expect(status.delegate != nil)
  }

  @Test("the phase is the highest state, and each initialized client gets its changes")
  func phase() {
    let (one, two, stranger) = (fixture.client(), fixture.client(), fixture.open())
    let session = one.become("one")
    two.become("two", background: true)
    #expect(two.phases == [.inactive, .active])
    #expect(fixture.client().hears(Initialize()) == ["2 alreadyInitialized"])
    one.move(session, .foregroundInactive)
    one.acknowledge()
    #expect(two.phases == [.inactive, .active, .inactive])
    one.close()
    #expect(two.phases == [.inactive, .active, .inactive, .background])
    #expect(stranger.phases == [])
    let late = fixture.open()
    #expect(
      late.hears(Initialize(client: ClientName(name: "a", version: ""), as: .observer))
        == ["1 initialized background"])
  }

  @Test("an active scene that is taken over is a change of phase")
  func phaseOfTakeOver() {
    let (one, two) = (fixture.client(), fixture.client())
    one.become("one")
    two.ask(SceneConnect(name: "one", takeOver: true))
    #expect(two.phases == [.inactive, .active, .background])
  }
}
