import SceneModel
import Testing

@testable import SceneBroker

/// The steps against a shortage of memory: `"reclaim": {"pressure": true}`.
final class MemoryPressureTests: BrokerSuite {
  init() {
    var manifest = Manifest.launching("Note", restart: .onCrash)
    manifest.policies.reclaim.pressure = true
    super.init(manifest)
  }

  /// A session that a launched program has in the background.
  private func launched(_ name: String) -> (session: SessionIdentifier, client: Client) {
    control.ask(RequestActivation(name: name))
    let client = fixture.launchedClient()
    client.acknowledgeAll()
    let session = SessionIdentifier(high: 0, low: UInt64(fixture.launches.count))
    client.move(session, .background)
    client.acknowledgeAll()
    return (session, client)
  }

  /// Reports a shortage two seconds after the one before.
  private func press(_ fixture: BrokerFixture? = nil) {
    let fixture = fixture ?? self.fixture
    fixture.pressureFigures = PressureFigures(
      average: "some avg10=12.40", residentBytes: 41 << 20)
    fixture.pass(MemoryPressure.interval)
    fixture.handle(.pressureReported)
  }

  /// The steps so far, each with its session.
  private var steps: [String] {
    fixture.trace.filter { [.warned, .terminated, .reclaimed].contains($0.event) }
      .map { $0.event.rawValue + ($0.name.map { " \($0)" } ?? "") }
  }

  private var watches: [Bool] {
    fixture.commands.compactMap { if case .watchPressure(let watch) = $0 { watch } else { nil } }
  }

  @Test("each event is one step: a warning, then idle programs, then scenes in the order of use")
  func order() {
    let (one, two, three) = (launched("one"), launched("two"), launched("three"))
    let front = scene.become("front")
    other.become("busy", background: true)
    other.ask(
      BeginAssertion(
        session: SessionIdentifier(high: 0, low: 5), name: "upload", seconds: 10_000))
    // An activation is a use of its session.
    control.ask(RequestActivation(session: one.session))
    one.client.acknowledgeAll()
    one.client.move(one.session, .background)
    one.client.acknowledgeAll()
    scene.forget()
    press()
    #expect(scene.heard == ["memoryWarning"])
    var expected = ["warned"]
    #expect(steps == expected)
    for (name, session, client) in [
      ("two", two.session, two.client), ("three", three.session, three.client),
      ("one", one.session, one.client),
    ] {
      press()
      expected.append("reclaimed \(name)")
      #expect(steps == expected)
      client.acknowledgeAll()
      #expect(fixture.end(session)?.reason == .reclaimed)
      press()
      expected.append("terminated \(name)")
      #expect(steps == expected)
      client.close()
      fixture.exit(
        ClientExit(signal: "TERM"), fixture.launches.first { $0.session == session })
    }
    press()
    press()
    #expect(steps == expected)
    #expect(fixture.state(front) == .foregroundActive)
    #expect(fixture.state(SessionIdentifier(high: 0, low: 5)) == .background)
    #expect(
      fixture.trace.filter { $0.event == .reclaimed }.map(\.detail) == [
        "memory pressure: some avg10=12.40; 3 candidates; 41 MiB resident",
        "memory pressure: some avg10=12.40; 2 candidates; 41 MiB resident",
        "memory pressure: some avg10=12.40; 1 candidate; 41 MiB resident",
      ])
    #expect(
      fixture.trace.first { $0.event == .warned }?.detail
        == "memory pressure: some avg10=12.40; 6 clients")
  }

  @Test("programs that lost their scene end in the order in which they lost it, each one once")
  func idle() {
    let (one, two) = (launched("one"), launched("two"))
    for program in [two, one] {
      control.ask(Reclaim(sessions: [program.session]))
      program.client.acknowledgeAll()
      fixture.pass(.seconds(1))
    }
    for _ in 1...4 { press() }
    #expect(steps == ["warned", "terminated two", "terminated one"])
    #expect(fixture.terminations.count == 2)
  }

  @Test("a program that the broker ends is no crash, starts no more and gets no scene")
  func restart() {
    let (session, client) = launched("one")
    control.ask(Reclaim(sessions: [session]))
    client.acknowledgeAll()
    press()
    press()
    #expect(steps == ["warned", "terminated one"])
    // The program has not ended, and the user returns. Its requests count until its end.
    client.forget()
    client.ask(Ping())
    #expect(client.heard.count == 1)
    client.forget()
    control.ask(RequestActivation(session: session))
    #expect(client.heard == [])
    let next = fixture.launchedClient()
    #expect(next.heard.last == "willConnect S1 activation 2")
    next.acknowledgeAll()
    client.close()
    fixture.exit(ClientExit(signal: "TERM"), fixture.launches[0])
    fixture.pass(.seconds(3600))
    #expect(fixture.launches.count == 2)
    #expect(fixture.end(session) == nil)
    #expect(fixture.broker.launches.restarts.status(of: session) == nil)
  }

  @Test("a reload of the manifest does not shorten the time between two steps")
  func reloadInPause() {
    _ = launched("one")
    press()
    let manifest = fixture.broker.manifest
    for next in [manifest, .launching("Note", restart: .onCrash), manifest] {
      fixture.handle(.manifestRead(.manifest(next)))
      fixture.handle(.pressureWatched("watched (kernel)"))
      fixture.handle(.pressureReported)
    }
    fixture.pass(.milliseconds(1999))
    #expect(steps == ["warned"])
    fixture.pass(.milliseconds(1))
    #expect(steps == ["warned", "reclaimed one"])
  }

  @Test("a program that an upgrade kept is idle after it has connected again without a scene")
  func upgraded() {
    let (idle, busy) = (launched("idle"), launched("busy"))
    control.ask(Reclaim(sessions: [idle.session]))
    idle.client.acknowledgeAll()
    let next = fixture.crashed(
      living: [idle.client.process, busy.client.process], carried: fixture.broker.carriedState)
    // The second program has not connected its scene again.
    let clients = [idle, busy].map { next.client(pid: $0.client.process.pid) }
    for _ in 1...3 { press(next) }
    #expect(next.terminations == [fixture.launches[0].identifier])
    // Its next scene is restarted after a crash.
    let hold = next.stored(busy.session)?.hold.number ?? 0
    clients[1].ask(
      SceneConnect(session: busy.session, resume: Resume(state: .background, hold: hold)))
    clients[1].ask(SceneConnect(name: "new"))
    clients[1].acknowledgeAll()
    clients[1].ask(SceneDisconnect(session: busy.session))
    clients[1].close()
    next.exit(ClientExit(signal: "SEGV"), fixture.launches[1])
    next.pass(.milliseconds(250))
    #expect(next.launches.map(\.session) == [SessionIdentifier(high: 0, low: 3)])
  }

  @Test("a program is not idle while another connection of its process has a scene")
  func otherConnection() {
    let (session, client) = launched("one")
    control.ask(Reclaim(sessions: [session]))
    client.acknowledgeAll()
    let second = fixture.client(pid: client.process.pid)
    second.become("front")
    press()
    press()
    #expect(steps == ["warned"])
  }

  @Test("reports within 2 s of a step are one step after that time; after 30 s the first follows")
  func time() {
    _ = launched("one")
    press()
    fixture.pass(.milliseconds(500))
    fixture.pressureFigures = PressureFigures()
    for _ in 1...3 { fixture.handle(.pressureReported) }
    fixture.pass(.milliseconds(1499))
    #expect(steps == ["warned"])
    fixture.pass(.milliseconds(1))
    #expect(steps == ["warned", "reclaimed one"])
    #expect(
      fixture.trace.last { $0.event == .reclaimed }?.detail == "memory pressure: 1 candidate")
    fixture.pass(.milliseconds(29_999))
    #expect(steps == ["warned", "reclaimed one"])
    fixture.handle(.pressureReported)
    #expect(steps.count == 3 && steps.last != "warned")
    fixture.pass(.seconds(30))
    fixture.handle(.pressureReported)
    #expect(steps.last == "warned")
    #expect(watches == [true])
  }

  @Test("a report that causes no step does not postpone the next warning")
  func nothingToDo() {
    for _ in 1...15 { press() }
    #expect(steps == ["warned"])
    press()
    #expect(steps == ["warned", "warned"])
  }

  @Test("a request is one step without a pause, and its reply waits for the scene")
  func request() {
    let (session, client) = launched("one")
    let watched = watches
    #expect(control.hears(MemoryWarning(pressure: true)).last == "3 {}")
    #expect(steps == ["warned"])
    #expect(control.hears(MemoryWarning(pressure: true)) == [])
    client.acknowledgeAll()
    #expect(control.heard == ["4 {}"])
    #expect(fixture.end(session)?.reason == .reclaimed)
    #expect(control.hears(MemoryWarning(pressure: true)) == ["5 {}"])
    #expect(steps == ["warned", "reclaimed one", "terminated one"])
    #expect(fixture.trace.last { $0.event == .terminated }?.by?.name == "scenectl")
    #expect(control.hears(MemoryWarning(pressure: true)) == ["6 {}"])
    #expect(watches == watched)
  }

  @Test("a new manifest begins and ends the watch, and the status has its words")
  func reload() {
    fixture.handle(.pressureWatched("watched (kernel)"))
    control.ask(ApplicationStatus())
    #expect(
      (control.lastReply?.content as? ApplicationStatus.Reply)?.pressure == "watched (kernel)")
    fixture.handle(.manifestRead(.manifest(.launching("Note"))))
    #expect(watches == [true, false])
    fixture.handle(.pressureWatched(nil))
    fixture.handle(.manifestRead(.manifest(.launching("Note"))))
    #expect(watches == [true, false])
    control.ask(ApplicationStatus())
    #expect((control.lastReply?.content as? ApplicationStatus.Reply)?.pressure == nil)
  }

  @Test("the watch alone sets no limit for scenes in the background")
  func noLimit() {
    let (session, _) = launched("one")
    fixture.pass(.seconds(3600))
    #expect(fixture.state(session) == .background)
    #expect(control.hears(Reclaim(dryRun: true)) == ["3 reclaimed [S1]"])
  }

  @Test("a broker that ends takes no step")
  func ending() {
    _ = launched("one")
    press()
    fixture.terminate()
    press()
    #expect(steps == ["warned"])
  }
}
