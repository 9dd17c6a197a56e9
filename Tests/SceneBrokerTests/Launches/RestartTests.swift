import SceneModel
import Testing

@testable import SceneBroker

/// Launched programs of a configuration with `"restart": "onCrash"`.
final class RestartTests: BrokerSuite {
  private static let session = SessionIdentifier(high: 0, low: 1)

  init() { super.init(.launching("Note", restart: .onCrash)) }

  /// A launched program whose scene is at its target.
  private func activated() -> Client {
    control.ask(RequestActivation(name: "packing"))
    return arrived()
  }

  private func arrived() -> Client {
    let client = fixture.launchedClient()
    client.acknowledgeAll()
    return client
  }

  private func crash(_ client: Client, _ exit: ClientExit = ClientExit(signal: "SEGV")) {
    client.close()
    fixture.exit(exit)
  }

  /// The first program that the next broker launched crashes in its scene.
  private func crashFirstLaunch(of next: BrokerFixture) {
    let client = next.launchedClient(launch: next.launches[0])
    client.acknowledgeAll()
    client.close()
    next.exit(ClientExit(signal: "SEGV"))
  }

  private var restart: SessionRestart? {
    control.ask(SessionShow(session: Self.session))
    return (control.lastReply?.content as? SessionDetails)?.summary.restart
  }

  @Test("a crashed program starts again after 250 ms in the state of its scene, and learns the end")
  func starts() {
    let client = activated()
    client.ask(SaveActivity(session: Self.session, activity: note(42)))
    crash(client)
    fixture.pass(.milliseconds(249))
    #expect(fixture.launches.count == 1)
    fixture.pass(.milliseconds(1))
    #expect(fixture.launches.count == 2)
    let next = fixture.launchedClient()
    #expect(next.heard.last == "willConnect S1 recover 2 was note{\"n\":42}")
    let end = (next.callbacks.last?.callback.message as? WillConnect)?.lastEnd?.content
    #expect(end?.outcome.exit == ClientExit(signal: "SEGV"))
    #expect(end?.generation == 1)
    next.acknowledgeAll()
    #expect(next.heard.last == "didBecomeActive S1")
    let launches = fixture.trace.filter { $0.event == .launched }
    #expect(launches.last?.detail == "restart 1 of 10 after SEGV")
  }

  @Test("a program that crashes again and again starts ten times, with pauses up to a minute")
  func limit() {
    var client = activated()
    for (number, pause) in zip(
      1..., [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000] as [Int64])
    {
      fixture.pass(.seconds(2))
      crash(client)
      #expect(restart?.count == Int64(number))
      fixture.pass(.milliseconds(pause - 1))
      #expect(fixture.launches.count == number)
      fixture.pass(.milliseconds(1))
      #expect(restart == nil)
      client = arrived()
    }
    fixture.pass(.seconds(2))
    crash(client)
    #expect(restart?.count == 10 && restart?.next == nil)
    #expect(
      fixture.trace.last { $0.event == .launchFailed }?.detail
        == "restart limit: 10 crashes in a row")
    fixture.pass(.seconds(3600))
    #expect(fixture.launches.count == 11)
    // An activation begins anew.
    crash(activated())
    #expect(restart?.count == 1)
  }

  @Test("a scene that was at its target for a minute has recovered")
  func recovered() {
    var client = activated()
    for _ in 0..<12 {
      fixture.pass(.seconds(60))
      crash(client)
      #expect(restart?.count == 1)
      fixture.pass(.milliseconds(250))
      client = arrived()
    }
    #expect(fixture.launches.count == 13)
  }

  @Test(
    "an end in order starts nothing",
    arguments: ["close", "reclaim", "discard", "replaced", "status 0", "Ctrl-C", "shutdown"])
  func inOrder(end: String) {
    let client = activated()
    switch end {
    case "close": client.ask(SceneDisconnect(session: Self.session))
    case "reclaim":
      client.move(Self.session, .background)
      client.acknowledgeAll()
      control.ask(Reclaim())
    case "discard": control.ask(RequestDestruction(sessions: [Self.session]))
    case "replaced": fixture.client().ask(SceneConnect(name: "packing", takeOver: true))
    case "status 0": crash(client, ClientExit(status: 0))
    case "Ctrl-C": crash(client, ClientExit(signal: "INT"))
    default: control.ask(Terminate())
    }
    client.acknowledgeAll()
    fixture.pass(.seconds(3600))
    #expect(fixture.launches.count == 1)
    #expect(fixture.broker.launches.restarts.sessions.isEmpty)
  }

  @Test("a client that exceeds a budget is ended first, and the next one starts after its end")
  func watchdog() {
    let client = activated()
    client.move(Self.session, .background)
    fixture.pass(.seconds(5))
    fixture.pass(.milliseconds(250))
    #expect(fixture.terminations.count == 1)
    #expect(fixture.launches.count == 1)
    fixture.exit(ClientExit(signal: "TERM"))
    #expect(fixture.launches.count == 2)
    let launches = fixture.trace.filter { $0.event == .launched }
    #expect(launches.last?.detail == "restart 1 of 10 after watchdog")
    _ = arrived()
    #expect(fixture.stored(Self.session)?.hold.holder != nil)
  }

  @Test("a client that connects in the pause gets the session, and a reload ends the pause")
  func pauseEnds() {
    crash(activated())
    let other = fixture.client()
    other.ask(SceneConnect(name: "packing"))
    other.acknowledgeAll()
    fixture.pass(.seconds(1))
    #expect(fixture.launches.count == 1)
    other.ask(SceneDisconnect(session: Self.session))
    other.close()
    crash(activated())
    fixture.handle(.manifestRead(.manifest(.launching("Note", restart: .onCrash))))
    #expect(fixture.launches.count == 3)
  }

  @Test("a reload ends a program that does not respond before it starts the next one")
  func reload() {
    let client = activated()
    client.move(Self.session, .background)
    fixture.pass(.seconds(5))
    fixture.handle(.manifestRead(.manifest(.launching("Note", restart: .onCrash))))
    #expect(fixture.launches.count == 1 && fixture.terminations.count == 1)
    fixture.exit(ClientExit(signal: "TERM"))
    #expect(fixture.launches.count == 2)
  }

  @Test("a refresh opens a crashed session, and counts anew")
  func refresh() {
    crash(activated())
    control.ask(RequestRefresh(sessions: [Self.session], open: true))
    #expect(restart == nil && fixture.broker.launches.restarts.sessions.isEmpty)
    _ = arrived()
    fixture.pass(.seconds(10))
    #expect(fixture.launches.count == 2)
  }

  @Test("the exit of a client that the broker did not start is added when its parent knows it")
  func peerExit() {
    let client = fixture.client()
    let session = client.become("packing")
    let isNeeded = fixture.broker.needsExit(of: client.connection)
    #expect(isNeeded)
    fixture.handle(.closed(client.connection, .connectionLost, exitFollows: true))
    for delay: Int64 in [10, 20] {
      fixture.pass(.milliseconds(delay))
      #expect(fixture.commands.last == .readExit(client.connection))
      fixture.handle(.exitRead(client.connection, nil))
    }
    fixture.pass(.milliseconds(40))
    fixture.handle(.exitRead(client.connection, ClientExit(status: 0)))
    #expect(fixture.stored(session)?.hold.end?.exit?.status == 0)
    // It may have ended for any reason, so its window opens again.
    #expect(fixture.stored(session)?.hold.end?.isByUser == false)
    fixture.pass(.seconds(10))
    #expect(fixture.commands.count { $0 == .readExit(client.connection) } == 3)
  }

  @Test("the next scene that waited for the end of a killed client learns the exit")
  func knownExit() {
    let client = fixture.client()
    let session = client.become("packing")
    fixture.dying = [client.process]
    let next = fixture.client()
    next.ask(SceneConnect(session: session))
    #expect(next.callbacks.isEmpty)
    fixture.handle(.exitRead(client.connection, ClientExit(signal: "KILL")))
    fixture.handle(.closed(client.connection, .connectionLost))
    let end = (next.callbacks.last?.callback.message as? WillConnect)?.lastEnd?.content
    #expect(end?.outcome.exit?.signal == "KILL" && end?.outcome.exit?.isOfClient == true)
    #expect(fixture.timers.keys.contains(.exit(client.connection)) == false)
  }

  @Test("a client whose connection ended and that lives on has no exit")
  func noExit() {
    let client = fixture.client()
    let session = client.become("packing")
    fixture.handle(.closed(client.connection, .connectionLost, exitFollows: true))
    for _ in 0..<8 {
      fixture.pass(.seconds(2))
      fixture.handle(.exitRead(client.connection, nil))
    }
    #expect(fixture.commands.last == .forgetExit(client.connection))
    #expect(fixture.stored(session)?.hold.end?.exit == nil)
  }

  @Test("a restart that fails counts as a crash; without the policy there is none")
  func failures() {
    crash(activated())
    fixture.pass(.milliseconds(250))
    for pause: Int64 in [250, 500, 1000, 2000] {
      fixture.exit(ClientExit(status: 3))
      fixture.pass(.milliseconds(pause))
    }
    fixture.exit(ClientExit(status: 3))
    #expect(restart?.count == 2 && restart?.next != nil)
    fixture.handle(.manifestRead(.manifest(.launching("Note"))))
    #expect(restart == nil)
    fixture.pass(.seconds(3600))
    #expect(fixture.launches.count == 6)
  }

  @Test("a restart that waits, its count and the limit go over to the next program of the broker")
  func upgrade() {
    crash(activated())
    fixture.pass(.milliseconds(250))
    crash(arrived())
    var state = fixture.broker.carriedState
    let next = fixture.crashed(carried: state)
    #expect(next.launches.isEmpty)
    // The clock of the next broker begins 250 ms before the second crash.
    next.pass(.milliseconds(749))
    #expect(next.launches.isEmpty)
    next.pass(.milliseconds(1))
    #expect(next.launches.count == 1)
    crashFirstLaunch(of: next)
    #expect(next.broker.carriedState.restarts?[0].count == 3)
    state.restarts?[0].next = nil
    state.restarts?[0].count = 10
    let stopped = fixture.crashed(carried: state)
    stopped.pass(.seconds(120))
    #expect(stopped.launches.isEmpty)
    state.restarts = nil
    #expect(fixture.crashed(carried: state).launches.isEmpty)
  }

  @Test("a restart that an upgrade interrupts begins again, and is no crash")
  func upgradeOfStart() {
    crash(activated())
    fixture.pass(.milliseconds(250))
    #expect(fixture.launches.count == 2)
    fixture.upgrade()
    let next = fixture.crashed(carried: fixture.broker.carriedState)
    next.pass(.milliseconds(1))
    #expect(next.launches.count == 1)
    crashFirstLaunch(of: next)
    #expect(next.broker.carriedState.restarts?[0].count == 2)
  }

  @Test("a program that closed its connection before an upgrade, and then ends in order, stays")
  func upgradeBeforeExit() {
    activated().close()
    let next = fixture.crashed(carried: fixture.broker.carriedState)
    next.exit(ClientExit(status: 0), fixture.launches[0])
    #expect(next.end(Self.session)?.exit == ClientExit(status: 0))
    next.pass(.seconds(60))
    #expect(next.launches.isEmpty)
  }

  @Test("an upgrade carries no restart of a session that is discarded")
  func upgradeOfDiscarded() {
    crash(activated())
    fixture.pass(.milliseconds(250))
    _ = arrived()
    #expect(fixture.broker.carriedState.restarts?.count == 1)
    control.ask(RequestDestruction(sessions: [Self.session]))
    #expect(fixture.broker.carriedState.restarts?.isEmpty != false)
  }

  @Test("after an upgrade, a restart does not end a process that has another scene")
  func upgradeOfOtherScene() {
    let client = activated()
    client.ask(SceneConnect(name: "other"))
    client.acknowledgeAll()
    control.move(Self.session, .background)
    fixture.pass(.seconds(5))
    #expect(fixture.end(Self.session)?.reason == .watchdog)
    let next = fixture.crashed(living: [client.process], carried: fixture.broker.carriedState)
    next.pass(.seconds(6))
    #expect(next.launches.count == 1)
    #expect(next.terminations.isEmpty)
  }
}
