import SceneModel
import Testing

@testable import SceneBroker

/// Which session a client becomes the scene of.
final class ConnectTests: BrokerSuite {
  @Test("a new session gets the reply first, then one callback after the other")
  func newSession() {
    #expect(
      scene.hears(SceneConnect(name: "packing", title: "Packing"))
        == ["2 S1 new launch 1", "willConnect S1 new launch 1"])
    scene.acknowledgeAll()
    #expect(scene.heard == ["willEnterForeground S1", "didBecomeActive S1"])
    #expect(scene.phases == [.inactive, .active])
    let stored = fixture.stored(SessionIdentifier(high: 0, low: 1))
    #expect(stored?.attributes.name == "packing")
    #expect(stored?.attributes.title == "Packing")
    #expect(stored?.attributes.maker == "notes")
    #expect(stored?.attributes.configuration.name == "Default Configuration")
    #expect(stored?.hold.holder == scene.process)
  }

  @Test("R8: willConnect contains the last saved activity")
  func reconnect() {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.ask(SceneDisconnect(session: session))
    #expect(
      scene.hears(SceneConnect(session: session))
        == ["5 S1 restore 2", #"willConnect S1 restore 2 was note{"n":1}"#])
    scene.acknowledgeAll()
    #expect(scene.heard == ["willEnterForeground S1", "didBecomeActive S1"])
  }

  @Test("a connect with an unknown identifier creates no session")
  func unknownIdentifier() {
    let session = SessionIdentifier(high: 7, low: 7)
    #expect(
      fixture.client().hears(SceneConnect(session: session)) == ["2 sessionNotFound"])
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test(
    "one of session, name and new is given, or none",
    arguments: [
      SceneConnect(session: SessionIdentifier.none, name: "a"),
      SceneConnect(session: SessionIdentifier.none, new: true),
      SceneConnect(name: "a", new: true),
      SceneConnect(session: SessionIdentifier.none, name: "a", new: true),
    ])
  func oneWay(message: SceneConnect) {
    #expect(BrokerFixture().hears(message) == "invalidParams session, name, new: give at most one")
  }

  @Test("resume needs its session, and an activity needs resume")
  func formOfResume() {
    let resume = Resume(state: .background, hold: 1)
    #expect(
      BrokerFixture().hears(SceneConnect(resume: resume))
        == "invalidParams session: missing; resume needs the session to resume")
    #expect(
      BrokerFixture().hears(SceneConnect(name: "a", activity: note(1)))
        == "invalidParams activity: allowed only with resume; save the activity after the reply")
  }

  @Test(
    "a name is a word that can be written",
    arguments: [
      ("", "must not be blank"), (" ", "must not be blank"),
      ("\u{3000}\u{A0}", "must not be blank"),
      ("a\nb", "control character"), ("\u{7F}", "control character"),
    ])
  func names(name: String, problem: String) {
    #expect(BrokerFixture().hears(SceneConnect(name: name)).contains(problem))
  }

  @Test("a connect without a name takes the most recently used session of the same program")
  func mostRecentlyUsed() {
    let client = fixture.client("notes")
    for name in ["one", "two", "three"] {
      let session = client.become(name)
      client.ask(SceneDisconnect(session: session))
    }
    client.become("two")
    client.ask(SceneDisconnect(session: SessionIdentifier(high: 0, low: 2)))
    let next = fixture.client("notes")
    #expect(next.hears(SceneConnect()).first == "2 S2 restore 3")
    #expect(next.hears(SceneConnect()).first == "3 S3 restore 2")
    #expect(next.hears(SceneConnect()).first == "4 S1 restore 2")
    #expect(next.hears(SceneConnect()).first == "5 S4 new launch 1")
  }

  @Test("a connect without a name takes no session of another program, role or configuration")
  func othersAreLeft() {
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.roles.append(.screen)
    let fixture = BrokerFixture(manifest)
    let maker = fixture.client("other")
    maker.become(SceneConnect(new: true))
    let client = fixture.client("notes")
    client.become(SceneConnect(new: true, role: .windowExternalDisplay))
    client.become(SceneConnect(new: true, configuration: "Tool"))
    maker.close()
    client.close()
    let next = fixture.client("notes")
    #expect(
      next.hears(SceneConnect(configuration: "Note")).first == "2 S4 new launch 1")
    #expect(
      next.hears(SceneConnect(configuration: "Tool")).first == "3 S3 recover 2")
    #expect(
      next.hears(SceneConnect(role: .windowExternalDisplay)).first == "4 S2 recover 2")
  }

  @Test("a connect with new creates a session even if one is unattached")
  func alwaysNew() {
    scene.become("packing")
    scene.ask(SceneDisconnect(session: SessionIdentifier(high: 0, low: 1)))
    #expect(scene.hears(SceneConnect(new: true)).first == "4 S2 new launch 1")
  }

  @Test("R9: at most one client holds a session, and another client can take it over")
  func inUse() {
    scene.become("packing")
    #expect(other.hears(SceneConnect(name: "packing")) == ["2 sessionInUse"])
    // The error names the session and gives no advice: programs differ in what a user can do.
    #expect(other.lastError?.message.hasPrefix("packing is held by ") == true)
    #expect(other.lastError?.message.contains(";") == false)
    #expect(
      other.hears(SceneConnect(name: "packing", takeOver: true))
        == ["3 S1 recover 2", "willConnect S1 recover 2"])
    #expect(scene.heard == ["didDisconnect S1 replaced"])
    scene.acknowledge()
    #expect(scene.heard == [])
    #expect(
      scene.hears(SaveActivity(session: SessionIdentifier(high: 0, low: 1)))
        == ["3 sessionNotHeld"])
  }

  @Test("an error about a session without a name shows the beginning of its identifier")
  func inUseWithoutName() {
    let session = scene.become(SceneConnect(new: true))
    other.ask(SceneConnect(session: session))
    #expect(other.lastError?.message.hasPrefix("\(session.short) is held by ") == true)
  }

  @Test("a take-over does not wait for a pending willConnect")
  func takeOverOfConnecting() {
    scene.ask(SceneConnect(name: "packing"))
    scene.forget()
    #expect(
      other.hears(SceneConnect(name: "packing", takeOver: true))
        == ["2 S1 recover 2", "willConnect S1 recover 2"])
    #expect(scene.heard == ["didDisconnect S1 replaced"])
  }

  @Test("a holder cannot connect to its own session; with takeOver its scene starts again")
  func ownSession() {
    scene.become("packing")
    #expect(scene.hears(SceneConnect(name: "packing")) == ["3 sessionInUse"])
    #expect(fixture.livenessQueries.isEmpty)
    #expect(
      scene.hears(SceneConnect(name: "packing", takeOver: true))
        == ["didDisconnect S1 replaced", "4 S1 recover 2", "willConnect S1 recover 2"])
  }

  @Test("a connect during didDisconnect is refused with the retry now")
  func leaving() {
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    #expect(other.hears(SceneConnect(session: session)) == ["2 sessionInUse now"])
    #expect(
      other.hears(SceneConnect(session: session, takeOver: true))
        == ["3 S1 recover 2", "willConnect S1 recover 2"])
    // The last callback is not sent twice.
    #expect(scene.heard == ["didDisconnect S1 clientRequest"])
  }

  @Test("an activation that waits for the end of a scene finds the client that took over")
  func takenOverWhileLeaving() {
    let (scene, control, other) = (
      fixture.client(hosts: ["*"]), fixture.control(), fixture.client()
    )
    let session = scene.become("packing", background: true)
    control.move(session, .unattached)
    control.ask(RequestActivation(session: session))
    #expect(
      other.hears(SceneConnect(session: session, takeOver: true))
        == ["2 S1 recover 2", "willConnect S1 recover 2"])
    other.acknowledgeAll()
    #expect(control.heard == ["2 unattached", "3 activated S1"])
  }

  @Test("a connect with another role than that of the session is refused")
  func wrongRole() {
    let session = scene.become("packing")
    scene.ask(SceneDisconnect(session: session))
    #expect(
      scene.hears(SceneConnect(name: "packing", role: .windowExternalDisplay))
        == ["4 wrongRole"])
    #expect(scene.hears(SceneConnect(name: "packing")).first == "5 S1 restore 2")
  }

  @Test("a connect sets the title; userInfo and configuration apply only to a new session")
  func whatApplies() {
    let fixture = BrokerFixture(.hosting("Note", "Tool"))
    let scene = fixture.client()
    let session = scene.become(
      SceneConnect(name: "packing", title: "A", userInfo: object(#"{"a":1}"#)))
    scene.ask(SceneDisconnect(session: session))
    scene.become(
      SceneConnect(
        name: "packing", configuration: "Tool", title: "B", userInfo: object(#"{"b":1}"#)))
    let attributes = fixture.stored(session)?.attributes
    #expect(attributes?.title == "B")
    #expect(attributes?.userInfo == object(#"{"a":1}"#))
    #expect(attributes?.configuration.name == "Note")
  }

  @Test(
    "a title stays with its command, unless the command connects itself",
    arguments: [
      ("vim", false, nil, "A"), ("less", false, nil, nil), ("less", false, "B", "B"),
      ("less", true, nil, "A"),
    ] as [(String, Bool, String?, String?)])
  func titleOfCommand(name: String, connects: Bool, given: String?, title: String?) {
    func connect(_ name: String, _ title: String?) -> SceneConnect {
      let program = SessionProgram(arguments: [name], directory: "/", connects: connects)
      return SceneConnect(name: "packing", title: title, program: program)
    }
    let session = scene.become(connect("vim", "A"))
    scene.ask(SceneDisconnect(session: session))
    scene.become(connect(name, given))
    #expect(fixture.stored(session)?.attributes.title == title)
  }

  @Test("R10: a client that refuses willConnect has no scene, and a new session is removed")
  func refusal() {
    scene.ask(SceneConnect(name: "packing"))
    scene.acknowledge(.failed(message: "no"))
    #expect(fixture.broker.stored.sessions.isEmpty)
    #expect(fixture.broker.scenes.all.isEmpty)
    #expect(scene.hears(SceneConnect(name: "packing")).first == "3 S2 new launch 1")
  }

  @Test("an error to willConnect leaves a session that is not new, and its activity")
  func refusalOfOld() {
    let session = scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: note(1)))
    scene.ask(SceneDisconnect(session: session))
    scene.ask(SceneConnect(name: "packing"))
    scene.acknowledge(.failed(message: "no"))
    #expect(fixture.end(session)?.reason == .refused)
    #expect(
      scene.hears(SceneConnect(name: "packing"))
        == ["6 S1 restore 3", #"willConnect S1 restore 3 was note{"n":1}"#])
  }

  @Test("a request without an identifier takes effect and gets no reply")
  func notification() {
    scene.tell(SceneConnect(name: "packing"))
    #expect(scene.heard == ["willConnect S1 new launch 1"])
    scene.tell(SceneConnect(session: SessionIdentifier(high: 9, low: 9)))
    #expect(scene.heard == [])
  }

  @Test("an unknown configuration is its role's default, also for finding a session again")
  func unknownConfiguration() {
    let fixture = BrokerFixture(.hosting("Note", "Tool"))
    let client = fixture.client()
    #expect(
      client.hears(SceneConnect(configuration: "Lost"))
        == ["2 S1 new launch 1", "willConnect S1 new launch 1 without Lost"])
    client.close()
    let next = fixture.client()
    #expect(
      next.hears(SceneConnect(configuration: "Lost"))
        == ["2 S1 recover 2", "willConnect S1 recover 2 without Lost"])
    next.close()
    #expect(
      fixture.client().hears(SceneConnect(configuration: "Tool")).first
        == "2 S2 new launch 1")
    #expect(
      fixture.client().hears(SceneConnect(configuration: "Note"))
        == ["2 S1 recover 3", "willConnect S1 recover 3"])
  }

  @Test("a session whose configuration is lost is found by the one in its place, and by its own")
  func lostConfiguration() {
    for wanted in ["Tool", "Old"] {
      let before = BrokerFixture(.hosting("Old"))
      before.client().become(SceneConnect())
      let fixture = before.crashed(manifest: .hosting("Tool"))
      #expect(
        fixture.client().hears(SceneConnect(configuration: wanted))
          == ["2 S1 recover 2", "willConnect S1 recover 2 without Old"])
    }
  }

  @Test("a configuration of another role is an error, also if there is a session to find")
  func configurationOfAnotherRole() {
    var manifest = Manifest.hosting("Note")
    manifest.roles.append(.screen)
    let fixture = BrokerFixture(manifest)
    let client = fixture.client()
    client.become(SceneConnect())
    client.close()
    #expect(
      fixture.client().hears(SceneConnect(configuration: "Screen")) == ["2 wrongRole"])
  }
}

extension BrokerFixture {
  /// The messages after a refused connect.
  func hears(_ message: SceneConnect) -> String {
    let client = client()
    client.ask(message)
    return client.lastError.map { "\($0.reason.name) \($0.message)" } ?? "not refused"
  }
}
