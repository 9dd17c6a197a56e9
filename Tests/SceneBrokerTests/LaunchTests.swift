import SceneModel
import Testing

@testable import SceneBroker

/// A session is activated without a host: the broker starts a program for it.
struct LaunchTests {
  private let activate = ClientRequest.activate(RequestActivation(name: "packing"))

  private func stage(kind: ConfigurationKind = .group) -> Stage {
    Stage(.launching("Note", kind: kind))
  }

  @Test("the program of the configuration is started, and given the session it was started for")
  func launched() {
    let stage = stage()
    let control = stage.control()
    #expect(control.hears(activate) == [])
    #expect(stage.launches.map(\.command.words) == [["notes", "--scene"]])
    #expect(stage.broker.stored.sessions.isEmpty)
    let client = stage.launchedClient()
    #expect(client.heard == ["1 initialized background", "willConnect S1 new activation 1"])
    client.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(stage.stored(stage.launches[0].session)?.attributes.maker == "notes")
    #expect(
      stage.story.map(text).prefix(2) == ["joined", "launched S1 by scenectl 101"])
  }

  @Test("a session that is there is given to the program like any other host")
  func restored() {
    let stage = stage()
    let (control, scene) = (stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    control.ask(activate)
    #expect(stage.launches.map(\.session) == [session])
    #expect(stage.launchedClient().heard.last == "willConnect S1 activation 2")
  }

  @Test("a host that is there is taken rather than a program started")
  func hostFirst() {
    let stage = stage()
    let (control, host) = (stage.control(), stage.client(hosts: ["Note"]))
    control.ask(activate)
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(stage.launches.isEmpty)
  }

  @Test("when the last host would not have the scene, a program is started")
  func afterRefusal() {
    let stage = stage()
    let (control, host) = (stage.control(), stage.client(hosts: ["Note"]))
    control.ask(activate)
    host.acknowledge(.failed(message: "no"))
    #expect(stage.launches.count == 1)
    #expect(control.heard == [])
    let client = stage.launchedClient()
    client.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
  }

  @Test("a program that would not have the scene is not started again")
  func refused() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    let client = stage.launchedClient()
    client.acknowledge(.failed(message: "no"))
    #expect(control.heard == ["2 requestDenied"])
    #expect(stage.launches.count == 1)
    #expect(stage.broker.stored.sessions.isEmpty)
    #expect(stage.broker.pendingSessions.count == 0)
  }

  @Test("later requests for the session wait as well, and their content is delivered")
  func joined() {
    let stage = stage()
    let (one, other, third) = (stage.control(), stage.control(), stage.control())
    one.ask(activate)
    other.ask(activate)
    third.ask(.open(ApplicationOpen(.urls([url("note:1")]))))
    #expect(stage.launches.count == 1)
    let client = stage.launchedClient()
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

  @Test("what is opened is said when its program connects")
  func opened() {
    let stage = stage()
    let control = stage.control()
    control.ask(.open(ApplicationOpen(.urls([url("note:1")]))))
    #expect(stage.launchedClient().heard.last == "willConnect S1 new url 1 url note:1 from files")
  }

  // MARK: - Tokens

  @Test("a token that is unknown, used or expired is refused, and the error says why")
  func tokens() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    func shows(_ token: String, as kind: ClientKind = .scene) -> String? {
      let client = stage.open()
      client.ask(
        .initialize(
          Initialize(client: ClientName(name: "x", version: ""), as: kind, launch: token)))
      return client.lastError.map { "\($0.reason.name) \($0.message.prefix(45))" }
    }
    #expect(
      shows("token 7") == "notPermitted launch: this broker has no running process wi")
    #expect(
      shows("token 1", as: .control)
        == "invalidParams launch: allowed only for clients of the kind ")
    stage.launchedClient().acknowledgeAll()
    #expect(shows("token 1") == "notPermitted launch: the token is valid for one connection")
    stage.exit(ClientExit(status: 0))
    #expect(
      shows("token 1") == "notPermitted launch: this broker has no running process wi")
    control.ask(.activate(RequestActivation(name: "list")))
    stage.startsPrograms = true
    let list = stage.launches[1].session
    let own = stage.client("own")
    #expect(own.hears(.connect(SceneConnect(name: "list"))) == ["2 sessionInUse later"])
    #expect(stage.broker.pendingSessions.configured(list) != nil)
  }

  // MARK: - Meanwhile

  @Test("a client that connects to the session meanwhile gets it, with all that waits for it")
  func overtaken() {
    let stage = stage()
    let (control, scene) = (stage.control(), stage.client())
    scene.become("packing")
    scene.close()
    control.ask(.open(ApplicationOpen(.urls([url("note:1")]))))
    let own = stage.client()
    own.ask(.connect(SceneConnect(name: "packing", background: true)))
    #expect(stage.dismissals == [stage.launches[0].identifier])
    own.acknowledgeAll()
    #expect(
      own.heard.dropFirst() == [
        "willConnect S1 recover 2", "openURLContexts S1 note:1", "willEnterForeground S1",
        "didBecomeActive S1",
      ])
    #expect(control.heard == ["2 activated S1"])
    let late = stage.launchedClient()
    #expect(
      late.lastError?.message
        == "launch: the session no longer waits for this process; connect without the token")
  }

  @Test("who becomes the scene meanwhile is handed everything in the order in which it was wanted")
  func overtakenInOrder() {
    let stage = stage()
    let (one, two, scene) = (stage.control(), stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    one.ask(.open(ApplicationOpen(.urls([url("note:1")]))))
    two.ask(.open(ApplicationOpen(.urls([url("note:2")]))))
    let client = stage.client()
    client.ask(.connect(SceneConnect(session: session)))
    client.acknowledgeAll()
    #expect(
      client.heard.filter { $0.contains("note:") }
        == ["openURLContexts S1 note:1", "openURLContexts S1 note:2"])
    #expect(one.heard == ["2 activated S1"])
    #expect(two.heard == ["2 activated S1"])
  }

  @Test("a refresh of an unattached session starts its program, or joins a running launch")
  func refreshed() {
    for isUnderWay in [false, true] {
      let stage = stage()
      let (control, scene) = (stage.control(), stage.client())
      let session = scene.become("packing")
      scene.close()
      let other = stage.control()
      if isUnderWay { other.ask(activate) }
      let host = stage.client("host", hosts: isUnderWay ? ["Note"] : ["Other"])
      host.forget()
      control.ask(.refresh(RequestRefresh(sessions: [session], open: true)))
      #expect(stage.launches.count == 1)
      #expect(host.heard.isEmpty)
      #expect(control.heard.isEmpty)
      let client = stage.launchedClient()
      #expect(
        client.heard.last == "willConnect S1 \(isUnderWay ? "activation" : "refresh") 2")
      client.acknowledgeAll()
      #expect(client.heard.contains("refresh S1"))
      #expect(control.heard == ["2 refreshed [S1]"])
      #expect(other.heard == (isUnderWay ? ["2 activated S1"] : []))
    }
  }

  @Test("what was to be refreshed and cannot be started is not refreshed")
  func refreshedInVain() {
    let stage = stage()
    let (control, scene) = (stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    control.ask(.refresh(RequestRefresh(sessions: [session], open: true)))
    for _ in 0..<LaunchSupervisor.startLimit {
      stage.exit(ClientExit(status: 3))
      stage.pass(.seconds(2))
    }
    #expect(control.heard == ["2 refreshed []"])
  }

  @Test("the process that was started may ask for its session, rather than show the token")
  func withoutToken() {
    let stage = stage()
    let (control, scene) = (stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    control.ask(activate)
    let client = stage.client("own", pid: 5001)
    stage.broker.launches.processesThatRun.values.forEach { #expect($0.isStarting) }
    client.become(SceneConnect(session: session))
    #expect(stage.dismissals.isEmpty)
    #expect(control.heard == ["2 activated S1"])
    client.close()
    stage.exit(ClientExit(status: 2))
    #expect(
      stage.end(session) == SessionEnd(reason: .connectionLost, exit: ClientExit(status: 2)))
    #expect(stage.timers.isEmpty)
  }

  @Test("a session that is discarded meanwhile is not waited for, and its program is ended")
  func discarded() {
    let stage = stage()
    let (control, other, scene) = (stage.control(), stage.control(), stage.client())
    let session = scene.become("packing")
    scene.close()
    control.ask(activate)
    #expect(other.hears(.destroy(RequestDestruction(sessions: [session]))) == ["2 {}"])
    #expect(control.heard == ["2 sessionNotFound"])
    #expect(stage.dismissals == [stage.launches[0].identifier])
    #expect(stage.timers.isEmpty)
  }

  @Test("an application that ends starts nothing more, and says so")
  func shutdown() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    stage.terminate()
    #expect(control.heard == ["2 shuttingDown later"])
    #expect(stage.isStopping)
    #expect(stage.timers.isEmpty)
    #expect(stage.broker.stored.sessions.isEmpty)
  }

  @Test("the next start goes by the manifest as it is then")
  func reloaded() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    stage.handle(.manifestRead(.manifest(.launching("Note", words: ["newer"]))))
    stage.exit(ClientExit(status: 1))
    stage.pass(.milliseconds(250))
    #expect(stage.launches.map(\.command.words) == [["notes", "--scene"], ["newer"]])
    stage.handle(.manifestRead(.manifest(.hosting("Note"))))
    stage.exit(ClientExit(status: 1))
    stage.pass(.milliseconds(500))
    #expect(control.heard == ["2 noHost later"])
    #expect(stage.broker.pendingSessions.count == 0)
  }

  @Test("a host that comes while nothing is started is taken")
  func hostMeanwhile() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    stage.exit(ClientExit(status: 1))
    let host = stage.client(hosts: ["Note"])
    stage.pass(.milliseconds(250))
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(stage.launches.count == 1)
  }

  @Test("of a window there is one, also while it is being launched")
  func oneWindow() {
    let stage = stage(kind: .window)
    let control = stage.control()
    control.ask(activate)
    #expect(
      control.hears(.activate(RequestActivation(name: "list"))) == ["3 multipleScenesNotSupported"])
  }

  // MARK: - How it went

  @Test("how the process ended is part of how its scene did, whichever is known first")
  func exitStatus() {
    for exitsFirst in [true, false] {
      let stage = stage()
      let delegate = stage.delegate()
      stage.control().ask(activate)
      delegate.answer()
      let client = stage.launchedClient()
      client.acknowledgeAll()
      let session = stage.launches[0].session
      delegate.forget()
      if exitsFirst { stage.exit(ClientExit(signal: "KILL")) }
      client.close()
      if !exitsFirst { stage.exit(ClientExit(signal: "KILL")) }
      #expect(
        stage.end(session)
          == SessionEnd(reason: .connectionLost, exit: ClientExit(signal: "KILL")))
      #expect(stage.story.map(text).contains("exited S1 was terminated by KILL"))
      #expect(
        delegate.heard == ["disconnected S1 connectionLost", "exited S1 was terminated by KILL"])
    }
  }

  @Test("the exit of a process is not part of the end of a later scene")
  func exitStatusTooLate() {
    let stage = stage()
    stage.control().ask(activate)
    let client = stage.launchedClient()
    client.acknowledgeAll()
    client.close()
    let other = stage.client("other")
    let session = other.become("packing")
    stage.exit(ClientExit(status: 1))
    other.close()
    #expect(stage.end(session) == SessionEnd(reason: .connectionLost))
  }

  @Test("a program that was started is a host like any other afterwards")
  func host() {
    let stage = stage()
    let control = stage.control()
    control.ask(activate)
    let client = stage.launchedClient(hosts: ["Note"])
    client.acknowledgeAll()
    client.forget()
    control.ask(.activate(RequestActivation(name: "list")))
    #expect(client.heard == ["willConnect S2 new activation 1"])
    #expect(stage.launches.count == 1)
  }

  @Test("what a session will take that comes to be with its program is not given to others")
  func storedBytes() {
    var limits = Limits()
    limits.storedBytes = 3 * SessionAttributes.baseByteCount
    let stage = Stage(.launching("Note"), limits: limits)
    let (control, scene) = (stage.control(), stage.client())
    control.ask(activate)
    scene.become(SceneConnect(new: true))
    let error = scene.hears(.connect(SceneConnect(new: true, userInfo: object(#"{"a":1}"#)))).last
    #expect(error?.hasPrefix("3 storageFull") == true)
    stage.launchedClient().acknowledgeAll()
    #expect(control.heard == ["2 activated S1 new"])
    #expect(stage.broker.stored.byteCount <= limits.storedBytes)
  }
}

extension Manifest {
  /// One configuration, and a program that is started for it.
  static func launching(
    _ delegateClass: String, words: [String] = ["notes", "--scene"],
    kind: ConfigurationKind = .group
  ) -> Manifest {
    var manifest = Manifest.hosting(delegateClass, kind: kind)
    manifest.roles[0].launches[delegateClass] = LaunchCommand(words: words)
    return manifest
  }
}
