import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// A session that leaves for another host, or arrives from one.
final class HandoffTests: BrokerSuite {
  private let desktop = "desktop"
  private lazy var host = BrokerFixture()
  private lazy var hostControl = host.control()

  private func release(
    _ session: SessionIdentifier, fence: Int64 = 1, to host: String = "desktop",
    confirmed: Bool = false
  ) -> SessionRelease {
    SessionRelease(session: session, fence: fence, to: host, confirmed: confirmed)
  }

  /// Makes a session without a scene.
  private func unattached(_ name: String = "notes", _ activity: Activity? = note(1))
    -> SessionIdentifier
  {
    let session = scene.become(name)
    scene.ask(SaveActivity(session: session, activity: activity))
    scene.ask(SceneDisconnect(session: session))
    scene.acknowledgeAll()
    return session
  }

  private func released(
    _ session: SessionIdentifier, fence: Int64 = 1
  ) throws -> SessionDetails {
    control.ask(release(session, fence: fence))
    return try #require(control.lastReply?.content as? SessionDetails)
  }

  private func adoption(
    of details: SessionDetails, fence: Int64 = 1, arriving: Bool = false
  ) -> SessionAdopt {
    SessionAdopt(
      sceneSession: details.sceneSession, generation: details.summary.generation, fence: fence,
      from: "laptop", arriving: arriving, maker: details.maker)
  }

  @Test("a session without a scene is away after its release, and a repetition changes nothing")
  func releases() throws {
    let session = unattached()
    let details = try released(session)
    #expect(details.sceneSession.stateRestorationActivity == note(1))
    #expect(details.summary.away == SessionAway(to: desktop, fence: 1))
    let count = fixture.records.count
    #expect(try released(session) == details)
    #expect(fixture.records.count == count)
    control.ask(release(session, confirmed: true))
    #expect(fixture.stored(session)?.attributes.away?.isConfirmed == true)
    #expect(try released(session).summary.away?.isConfirmed == true)
    #expect(
      fixture.trace.last { $0.event == .released }?.wholeDetail == "to desktop (by scenectl 102)")
    #expect(fixture.trace.count { $0.event == .released } == 1)
  }

  @Test("the reply to a release and to an adoption waits for the disk")
  func durable() throws {
    let session = unattached()
    let details = try released(session)
    #expect(fixture.sent.last?.after == fixture.broker.recordCount)
    hostControl.ask(adoption(of: details))
    #expect(host.sent.last?.after == host.broker.recordCount)
  }

  @Test("a session with a scene, a reservation or a launch cannot be released")
  func inUse() throws {
    let session = scene.become("notes")
    #expect(control.hears(release(session)) == ["2 sessionInUse"])
    let process = try #require(fixture.stored(session)?.hold.holder)
    let next = fixture.crashed(living: [process])
    #expect(next.control().hears(release(session)) == ["2 sessionInUse later"])
    #expect(next.control().hears(release(.none)) == ["2 sessionNotFound"])
  }

  @Test("only a control states the cause handedOff, and the client sees a client's request")
  func cause() throws {
    let session = scene.become("notes")
    let end = SceneTransition(
      session: session, to: .unattached, cause: .handedOff, host: desktop)
    #expect(scene.hears(end) == ["3 invalidParams"])
    for (cause, host) in [(nil, desktop), (DisconnectCause.handedOff, "not a host")] {
      control.ask(SceneTransition(session: session, to: .unattached, cause: cause, host: host))
      #expect(control.lastError?.message.hasPrefix("host: ") == true)
    }
    control.ask(end)
    scene.acknowledgeAll()
    #expect(scene.heard.contains("didDisconnect S1 clientRequest to desktop"))
    #expect(fixture.end(session)?.cause == .handedOff)
    #expect(fixture.end(session)?.isByUser == false)
  }

  @Test("no request connects, activates or changes an away session, also after a restart")
  func gate() throws {
    let session = unattached()
    _ = try released(session)
    let hold = try #require(fixture.stored(session)?.hold.number)
    let requests: [any RequestMessage] = [
      SceneConnect(session: session), SceneConnect(name: "notes"),
      SceneConnect(session: session, takeOver: true),
      SceneConnect(session: session, resume: Resume(state: .background, hold: hold)),
      SaveActivity(session: session, activity: nil), SetName(session: session, name: "other"),
      SetUserInfo(session: session, userInfo: .empty), SceneUpdate(session: session),
      RestoreActivity(session: session, generation: 1), RequestActivation(session: session),
      RequestActivation(name: "notes"), RequestRefresh(sessions: [session]),
      SceneTransition(session: session, to: .background),
    ]
    for fixture in [fixture, fixture.crashed()] {
      let control = fixture.control()
      for request in requests {
        control.ask(request)
        #expect(control.lastError?.reason == .sessionAway, "\(request)")
      }
      #expect(
        control.lastError?.message
          == "notes is at desktop; take it back with: scenectl move notes --from desktop")
      #expect(
        control.hears(SceneTransition(session: session, to: .unattached)).last?.hasSuffix(
          "unattached") == true)
      #expect(fixture.end(session)?.isByUser == true)
    }
    #expect(scene.hears(SceneConnect()).last?.contains("new") == true)
    control.ask(EventObserve(topic: SessionAway.agentTopic))
    control.ask(SetName(session: session, name: "other"))
    #expect(
      control.lastError?.message
        == "notes is at desktop; take it back with: scenectl handoff take notes")
  }

  @Test("content goes to a present session, even if the away one was used later")
  func routes() throws {
    let present = unattached("present")
    let session = unattached()
    #expect(
      control.hears(ApplicationRoute(targetContentIdentifier: "x"))
        == ["2 route [S2 can, S1 can] S2"])
    _ = try released(session)
    #expect(
      control.hears(ApplicationRoute(targetContentIdentifier: "x")) == ["4 route [S1 can] S1"])
    #expect(fixture.stored(present)?.isPresent == true)
  }

  @Test("an adoption counts for the limits of sessions and of bytes")
  func limits() throws {
    var details = try released(unattached())
    details.sceneSession.persistentIdentifier = SessionIdentifier(high: 7, low: 7)
    for (limits, reason) in [
      (Limits.with(\.sessions, 1), ErrorReason.tooMany),
      (.with(\.storedBytes, SessionAttributes.baseByteCount + 100), .storageFull),
    ] {
      let host = BrokerFixture(limits: limits)
      host.client().become("other")
      let control = host.control()
      control.ask(adoption(of: details))
      #expect(control.lastError?.reason == reason)
      #expect(host.stored(details.sceneSession.persistentIdentifier) == nil)
    }
  }

  @Test("the variables of a command stay at their host, and are there after a return")
  func variables() throws {
    let session = unattached()
    let program = SessionProgram(
      arguments: ["make"], directory: "/work", environment: ["PORT=1"])
    control.ask(SceneUpdate(session: session, program: .value(program)))
    var details = try released(session)
    details.sceneSession.program?.environment = nil
    hostControl.ask(adoption(of: details))
    #expect(host.stored(session)?.attributes.program?.environment == nil)
    control.ask(adoption(of: details, fence: 2))
    #expect(fixture.stored(session)?.attributes.program == program)
  }

  @Test("a session that left without its command gets it again when it returns")
  func command() throws {
    let session = unattached()
    let program = SessionProgram(arguments: ["make"], directory: "/work")
    control.ask(SceneUpdate(session: session, program: .value(program)))
    var details = try released(session)
    details.sceneSession.program = nil
    hostControl.ask(adoption(of: details))
    #expect(host.stored(session)?.attributes.program == nil)
    control.ask(adoption(of: details, fence: 2))
    #expect(fixture.stored(session)?.attributes.program == program)
  }

  @Test("the way back has the scenectl of a host that ssh does not reach, quoted for a shell")
  func remote() throws {
    let session = unattached()
    let remote = "scenectl -S '/tmp/b sock'"
    control.ask(SessionRelease(session: session, fence: 1, to: desktop, remote: remote))
    control.ask(release(session, confirmed: true))
    control.ask(RequestActivation(session: session))
    #expect(
      control.lastError?.message == "notes is at desktop; take it back with: scenectl move notes "
        + #"--from desktop --remote 'scenectl -S '\''/tmp/b sock'\'''"#)
    let long = String(repeating: "x", count: Limits().titleBytes + 1)
    control.ask(SessionRelease(session: session, fence: 1, to: desktop, remote: long))
    #expect(control.lastError?.reason == .tooLarge)
  }

  @Test("an adopted session has the identifier, the name, the content and the generation")
  func adopts() throws {
    let session = unattached()
    control.ask(SaveActivity(session: session, activity: note(2)))
    let details = try released(unattached("other"), fence: 1)
    let moved = try released(session)
    hostControl.ask(adoption(of: moved))
    let reply = try #require(hostControl.lastReply?.content as? SessionAdopt.Reply)
    #expect(reply == SessionAdopt.Reply(session: session, name: "notes", adopted: true))
    let stored = try #require(host.stored(session))
    #expect((stored.activity, stored.generation) == (note(2), 2))
    #expect(
      (stored.isPresent, stored.attributes.fence, stored.attributes.maker) == (true, 1, "notes"))
    #expect(stored.hold.end == DisconnectOutcome(reason: .clientRequest, cause: .handedOff))
    hostControl.ask(adoption(of: moved))
    #expect((hostControl.lastReply?.content as? SessionAdopt.Reply)?.adopted == false)
    #expect(details.summary.name == "other")
    let scene = host.client()
    #expect(scene.hears(SceneConnect(name: "notes")).last?.contains("restore 1 was") == true)
  }

  @Test("an arriving session stays away until the request without arriving")
  func arrives() throws {
    let details = try released(unattached())
    let session = details.summary.session
    hostControl.ask(adoption(of: details, arriving: true))
    #expect(host.stored(session)?.isPresent == false)
    #expect(host.stored(session)?.attributes.away?.isArriving == true)
    hostControl.ask(DataDirectory(session: session))
    #expect(host.commands == [.makeDirectory(session)])
    let next = host.crashed()
    let control = next.control()
    control.ask(adoption(of: details))
    #expect(next.stored(session)?.isPresent == true)
    #expect(next.stored(session)?.generations.map(\.number) == [1])
  }

  @Test("a lower fence is stale, and a present session with another fence stays")
  func fences() throws {
    let details = try released(unattached(), fence: 5)
    let session = details.summary.session
    control.ask(adoption(of: details, fence: 4))
    #expect(control.lastError?.reason == .staleFence)
    control.ask(release(session, fence: 5, to: "phone"))
    #expect(control.lastError?.reason == .sessionAway)
    control.ask(adoption(of: details, fence: 6))
    #expect(fixture.stored(session)?.attributes.fence == 6)
    control.ask(adoption(of: details, fence: 7))
    #expect(control.lastError?.reason == .requestDenied)
    control.ask(release(session, fence: 5))
    #expect(control.lastError?.reason == .staleFence)
  }

  @Test("a local activity that is not older and differs stays in the history")
  func divergence() throws {
    let session = unattached()
    control.ask(SaveActivity(session: session, activity: note(2)))
    var details = try released(session)
    details.sceneSession.stateRestorationActivity = note(9)
    control.ask(adoption(of: details, fence: 2))
    #expect(fixture.stored(session)?.generations.map(\.number) == [1, 2, 3])
    #expect(fixture.stored(session)?.activity == note(9))
  }

  @Test("the name of another session is omitted")
  func name() throws {
    let details = try released(unattached())
    host.client().become("notes")
    var other = details
    other.sceneSession.persistentIdentifier = SessionIdentifier(high: 7, low: 7)
    hostControl.ask(adoption(of: other))
    let reply = try #require(hostControl.lastReply?.content as? SessionAdopt.Reply)
    #expect((reply.name, reply.adopted) == (nil, true))
  }

  @Test("a command that another host published is marked until a scene runs it")
  func origin() throws {
    let plain = SessionProgram(arguments: ["vim"], directory: "/")
    var foreign = plain
    (foreign.resume, foreign.from) = (["vim", "-r"], "laptop")
    var details = try released(unattached())
    let session = details.summary.session
    let scene = host.client()
    var program: SessionProgram? { host.stored(session)?.attributes.program }
    func arrive(fence: Int64) {
      details.sceneSession.program = foreign
      hostControl.ask(adoption(of: details, fence: fence))
    }
    func connect(_ program: SessionProgram?) {
      scene.become(SceneConnect(name: "notes", program: program))
      scene.ask(SceneDisconnect(session: session))
    }
    arrive(fence: 1)
    connect(nil)
    #expect(program == foreign)
    var known = foreign
    known.from = nil
    connect(foreign)
    #expect(program == known)
    // The host knows the command when the session returns, and asks for another one.
    hostControl.ask(release(session, fence: 2))
    arrive(fence: 3)
    #expect(program == known)
    hostControl.ask(release(session, fence: 4))
    foreign.resume = ["sh"]
    arrive(fence: 5)
    #expect(program == foreign)
    // No user has seen what continues it.
    connect(plain)
    #expect(program == plain)
  }

  @Test("an away session can be discarded, and the delegate gets no report")
  func discard() throws {
    let session = unattached()
    _ = try released(session)
    let delegate = fixture.delegate()
    delegate.forget()
    control.ask(RequestDestruction(sessions: [session]))
    #expect(fixture.stored(session) == nil)
    #expect(fixture.broker.stored.discarded.isEmpty)
    #expect(fixture.broker.stored.hasHadDelegate)
  }
}
