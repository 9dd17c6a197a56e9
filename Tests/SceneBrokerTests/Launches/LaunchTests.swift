import SceneModel
import Testing

@testable import SceneBroker

/// A session is activated without a host: the broker starts a program for it.
final class LaunchTests: BrokerSuite {
  private let activate = RequestActivation(name: "packing")

  init() { super.init(.launching("Note")) }

  @Test("an activation starts the program of the configuration, which gets the session")
  func launched() {
    #expect(control.hears(activate) == [])
    #expect(fixture.launches.map(\.command.words) == [["notes", "--scene"]])
    #expect(fixture.broker.stored.sessions.isEmpty)
    let client = fixture.launchedClient()
    #expect(client.heard == ["1 initialized background", "willConnect S1 new activation 1"])
    client.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(fixture.stored(fixture.launches[0].session)?.attributes.maker == "notes")
    #expect(
      fixture.trace.map(text).prefix(2) == ["joined", "launched S1 by scenectl 101"])
  }

  @Test("a connected host precedes a new process")
  func hostFirst() {
    let (control, host) = (fixture.control(), fixture.client(hosts: ["Note"]))
    control.ask(activate)
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(fixture.launches.isEmpty)
  }

  @Test("after the last refusal of a host, a program starts, and a transition has failed")
  func afterRefusal() {
    let (control, other) = (fixture.control(), fixture.control())
    let host = fixture.client(hosts: ["Note"])
    control.ask(activate)
    other.move(SessionIdentifier(high: 0, low: 1), .foregroundActive)
    host.acknowledge(.failed(message: "no"))
    #expect(fixture.launches.count == 1)
    #expect(control.heard == [])
    #expect(other.heard == ["2 unattached"])
    let client = fixture.launchedClient()
    client.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("after the last refusal of a host, a refresh goes on with a program")
  func refreshAfterRefusal() {
    let session = scene.become("packing")
    scene.close()
    let host = fixture.client(hosts: ["Note"])
    control.ask(RequestRefresh(sessions: [session], open: true))
    host.acknowledge(.failed(message: "no"))
    fixture.launchedClient().acknowledgeAll()
    #expect(control.heard == ["2 refreshed [S1]"])
  }

  @Test("a client that connects during a launch gets content that no request waits for")
  func contentWithoutRequest() {
    let session = scene.become("packing")
    scene.close()
    let host = fixture.client(hosts: ["Note"])
    var message = ApplicationOpen(.urls([url("note:a")]))
    (message.session, message.noWait) = (session, true)
    control.ask(message)
    host.close()
    #expect(fixture.launches.count == 1)
    let other = fixture.client()
    other.ask(SceneConnect(session: session))
    other.acknowledgeAll()
    #expect(other.heard.contains("openURLContexts S1 note:a"))
  }

  @Test("a program that refuses the scene does not start again")
  func refused() {
    control.ask(activate)
    let client = fixture.launchedClient()
    client.acknowledge(.failed(message: "no"))
    #expect(control.heard == ["2 requestDenied"])
    #expect(fixture.launches.count == 1)
    #expect(fixture.broker.stored.sessions.isEmpty)
    #expect(fixture.broker.pendingSessions.count == 0)
  }

  @Test("later activations wait for the same process, which gets their content")
  func joined() {
    let (one, other, third) = (fixture.control(), fixture.control(), fixture.control())
    one.ask(activate)
    other.ask(activate)
    third.ask(ApplicationOpen(.urls([url("note:1")])))
    #expect(fixture.launches.count == 1)
    let client = fixture.launchedClient()
    client.acknowledge()
    client.acknowledgeAll()
    #expect(one.heard == ["2 activated S1 new"])
    #expect(other.heard == ["2 activated S1"])
    #expect(third.heard == ["2 activated S1"])
    #expect(
      client.heard == [
        "1 initialized background", "willConnect S1 new activation 1", "openURLContexts S1 note:1",
        "willEnterForeground S1", "didBecomeActive S1",
      ])
  }

  @Test("a started program gets the opened content in its connection options")
  func opened() {
    control.ask(ApplicationOpen(.urls([url("note:1")])))
    #expect(fixture.launchedClient().heard.last == "willConnect S1 new url 1 url note:1 from files")
  }

  // MARK: - Tokens

  @Test("an unknown, used or expired token is refused with the cause")
  func tokens() {
    control.ask(activate)
    func shows(_ token: String, as kind: ClientKind = .scene) -> String? {
      let client = fixture.open()
      client.ask(
        Initialize(client: ClientName(name: "x", version: ""), as: kind, launch: token))
      return client.lastError.map { "\($0.reason.name) \($0.message.prefix(45))" }
    }
    #expect(
      shows("token 7") == "notPermitted launch: this broker has no running process wi")
    #expect(
      shows("token 1", as: .control)
        == "invalidParams launch: allowed only for clients of the kind ")
    fixture.launchedClient().acknowledgeAll()
    #expect(shows("token 1") == "notPermitted launch: the token is valid for one connection")
    fixture.exit(ClientExit(status: 0))
    #expect(
      shows("token 1") == "notPermitted launch: this broker has no running process wi")
    control.ask(RequestActivation(name: "list"))
    fixture.startsPrograms = true
    let list = fixture.launches[1].session
    let own = fixture.client("own")
    #expect(own.hears(SceneConnect(name: "list")) == ["2 sessionInUse later"])
    #expect(fixture.broker.pendingSessions.configured(list) != nil)
  }

  // MARK: - Meanwhile

  @Test("a client that connects during a launch gets the session and its pending work")
  func overtaken() {
    scene.become("packing")
    scene.close()
    control.ask(ApplicationOpen(.urls([url("note:1")])))
    let own = fixture.client()
    own.ask(SceneConnect(name: "packing", background: true))
    #expect(fixture.terminations == [fixture.launches[0].identifier])
    own.acknowledgeAll()
    #expect(
      own.heard.dropFirst() == [
        "willConnect S1 recover 2", "openURLContexts S1 note:1", "willEnterForeground S1",
        "didBecomeActive S1",
      ])
    #expect(control.heard == ["2 activated S1"])
    let late = fixture.launchedClient()
    #expect(
      late.lastError?.message
        == "launch: the session no longer waits for this process; connect without the token")
  }

  @Test("a client that connects during a launch gets all content in the order of the requests")
  func overtakenInOrder() {
    let (one, two, scene) = (fixture.control(), fixture.control(), fixture.client())
    let session = scene.become("packing")
    scene.close()
    one.ask(ApplicationOpen(.urls([url("note:1")])))
    two.ask(ApplicationOpen(.urls([url("note:2")])))
    let client = fixture.client()
    client.ask(SceneConnect(session: session))
    client.acknowledgeAll()
    #expect(
      client.heard.filter { $0.contains("note:") }
        == ["openURLContexts S1 note:1", "openURLContexts S1 note:2"])
    #expect(one.heard == ["2 activated S1"])
    #expect(two.heard == ["2 activated S1"])
  }

  @Test(
    "a refresh of an unattached session starts its program, or joins a running launch",
    arguments: [false, true])
  func refreshed(isUnderWay: Bool) {
    let session = scene.become("packing")
    scene.close()
    let other = fixture.control()
    if isUnderWay { other.ask(activate) }
    let host = fixture.client("host", hosts: isUnderWay ? ["Note"] : ["Other"])
    host.forget()
    control.ask(RequestRefresh(sessions: [session], open: true))
    #expect(fixture.launches.count == 1)
    #expect(host.heard.isEmpty)
    #expect(control.heard.isEmpty)
    let client = fixture.launchedClient()
    #expect(
      client.heard.last == "willConnect S1 \(isUnderWay ? "activation" : "refresh") 2")
    client.acknowledgeAll()
    #expect(client.heard.contains("refresh S1"))
    #expect(control.heard == ["2 refreshed [S1]"])
    #expect(other.heard == (isUnderWay ? ["2 activated S1"] : []))
  }

  @Test("a session whose program cannot start is missing in the reply to a refresh")
  func refreshedInVain() {
    let session = scene.become("packing")
    scene.close()
    control.ask(RequestRefresh(sessions: [session], open: true))
    for _ in 0..<LaunchSupervisor.startLimit {
      fixture.exit(ClientExit(status: 3))
      fixture.pass(.seconds(2))
    }
    #expect(control.heard == ["2 refreshed []"])
  }

  @Test("the started process can connect to its session without the token")
  func withoutToken() {
    let session = scene.become("packing")
    scene.close()
    control.ask(activate)
    let client = fixture.client("own", pid: 5001)
    fixture.broker.launches.processesThatRun.values.forEach { #expect($0.isStarting) }
    client.become(SceneConnect(session: session))
    #expect(fixture.terminations.isEmpty)
    #expect(control.heard == ["2 activated S1"])
    client.close()
    fixture.exit(ClientExit(status: 2))
    var exit = ClientExit(status: 2)
    exit.failedStart = true
    #expect(fixture.end(session) == DisconnectOutcome(reason: .connectionLost, exit: exit))
    #expect(fixture.timers.isEmpty)
  }

  @Test("a discard ends the launch of its session and terminates the process")
  func discarded() {
    let (control, other, scene) = (fixture.control(), fixture.control(), fixture.client())
    let session = scene.become("packing")
    scene.close()
    control.ask(activate)
    #expect(other.hears(RequestDestruction(sessions: [session])) == ["2 {}"])
    #expect(control.heard == ["2 sessionNotFound"])
    #expect(fixture.terminations == [fixture.launches[0].identifier])
    #expect(fixture.timers.isEmpty)
  }

  @Test("a shutdown fails the launches")
  func shutdown() {
    control.ask(activate)
    fixture.terminate()
    #expect(control.heard == ["2 shuttingDown later"])
    #expect(fixture.isStopping)
    #expect(fixture.timers.isEmpty)
    #expect(fixture.broker.stored.sessions.isEmpty)
  }

  @Test("the next start uses the manifest of that time")
  func reloaded() {
    control.ask(activate)
    fixture.handle(.manifestRead(.manifest(.launching("Note", words: ["newer"]))))
    fixture.exit(ClientExit(status: 1))
    fixture.pass(.milliseconds(250))
    #expect(fixture.launches.map(\.command.words) == [["notes", "--scene"], ["newer"]])
    fixture.handle(.manifestRead(.manifest(.hosting("Note"))))
    fixture.exit(ClientExit(status: 1))
    fixture.pass(.milliseconds(500))
    #expect(control.heard == ["2 noHost later"])
    #expect(fixture.broker.pendingSessions.count == 0)
  }

  @Test("a host that connects during the restart delay gets the session")
  func hostMeanwhile() {
    control.ask(activate)
    fixture.exit(ClientExit(status: 1))
    let host = fixture.client(hosts: ["Note"])
    fixture.pass(.milliseconds(250))
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(fixture.launches.count == 1)
  }

  @Test("the kind window allows one session, also during a launch")
  func oneWindow() {
    let fixture = BrokerFixture(.launching("Note", kind: .window))
    let control = fixture.control()
    control.ask(activate)
    #expect(
      control.hears(RequestActivation(name: "list")) == ["3 multipleScenesNotSupported"])
  }

  // MARK: - How it went

  @Test(
    "the end of a scene has the exit of its process, in either order of events",
    arguments: [true, false])
  func exitStatus(exitsFirst: Bool) {
    let delegate = fixture.delegate()
    fixture.control().ask(activate)
    delegate.answer()
    let client = fixture.launchedClient()
    client.acknowledgeAll()
    let session = fixture.launches[0].session
    delegate.forget()
    if exitsFirst { fixture.exit(ClientExit(signal: "KILL")) }
    client.close()
    if !exitsFirst { fixture.exit(ClientExit(signal: "KILL")) }
    #expect(
      fixture.end(session)
        == DisconnectOutcome(reason: .connectionLost, exit: ClientExit(signal: "KILL")))
    #expect(fixture.trace.map(text).contains("exited S1 was terminated by KILL"))
    #expect(
      delegate.heard == ["disconnected S1 connectionLost", "exited S1 was terminated by KILL"])
  }

  @Test("a launched program that fails within 30 s does not close its window", arguments: [29, 30])
  func failedStart(age: Int64) {
    fixture.control().ask(activate)
    let client = fixture.launchedClient()
    client.acknowledgeAll()
    fixture.pass(.seconds(age))
    client.close()
    fixture.exit(ClientExit(status: 3))
    #expect(fixture.end(fixture.launches[0].session)?.isByUser == (age == 30))
  }

  @Test("the exit of a process is not part of the end of a later scene")
  func exitStatusTooLate() {
    fixture.control().ask(activate)
    let client = fixture.launchedClient()
    client.acknowledgeAll()
    client.close()
    let other = fixture.client("other")
    let session = other.become("packing")
    fixture.exit(ClientExit(status: 1))
    other.close()
    #expect(fixture.end(session) == DisconnectOutcome(reason: .connectionLost))
  }

  @Test("a started program can host further scenes")
  func host() {
    control.ask(activate)
    let client = fixture.launchedClient(hosts: ["Note"])
    client.acknowledgeAll()
    client.forget()
    control.ask(RequestActivation(name: "list"))
    #expect(client.heard == ["willConnect S2 new activation 1"])
    #expect(fixture.launches.count == 1)
  }

  @Test("a session that waits for its process counts against the limit of stored bytes")
  func storedBytes() {
    var limits = Limits()
    limits.storedBytes = 3 * SessionAttributes.baseByteCount
    let fixture = BrokerFixture(.launching("Note"), limits: limits)
    let (control, scene) = (fixture.control(), fixture.client())
    control.ask(activate)
    scene.become(SceneConnect(new: true))
    let error = scene.hears(SceneConnect(new: true, userInfo: object(#"{"a":1}"#))).last
    #expect(error?.hasPrefix("3 storageFull") == true)
    fixture.launchedClient().acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(fixture.broker.stored.byteCount <= limits.storedBytes)
  }
}

extension Manifest {
  /// Configurations, and a program that is started for them.
  static func launching(
    _ classes: String..., words: [String] = ["notes", "--scene"], kind: ConfigurationKind = .group,
    restart: RestartPolicy = .never
  ) -> Manifest {
    var manifest = Manifest.hosting(classes, kind: kind)
    for name in classes {
      manifest.roles[0].launches[name] = LaunchCommand(words: words)
      manifest.roles[0].launches[name]?.restart = restart
    }
    return manifest
  }
}
