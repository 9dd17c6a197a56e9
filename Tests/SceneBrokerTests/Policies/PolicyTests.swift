import SceneModel
import Testing

@testable import SceneBroker

private func manifest(
  _ foreground: ForegroundPolicy = .split, count: Int? = nil, age: Interval? = nil
) -> Manifest {
  var manifest = Manifest.builtIn
  manifest.roles.append(.screen)
  manifest.policies = Policies(
    foreground: foreground, reclaim: ReclaimPolicy(count: count, age: age))
  return manifest
}

/// How many scenes are in front.
struct ForegroundPolicyTests {
  /// Clients with one scene each, in the highest state that the policy allows.
  private func fixture(
    _ policy: ForegroundPolicy, scenes count: Int
  ) -> (fixture: BrokerFixture, clients: [Client], sessions: [SessionIdentifier]) {
    let fixture = BrokerFixture(manifest(policy))
    var clients: [Client] = []
    var sessions: [SessionIdentifier] = []
    for number in 0..<count {
      let client = fixture.client()
      sessions.append(client.become("s\(number)"))
      clients.append(client)
      for client in clients { client.acknowledgeAll() }
    }
    return (fixture, clients, sessions)
  }

  private func states(_ fixture: BrokerFixture, _ sessions: [SessionIdentifier])
    -> [ActivationState]
  {
    sessions.map { fixture.state($0) }
  }

  @Test("F94, F95: the policy split allows any number of active scenes")
  func split() {
    let (fixture, _, sessions) = fixture(.split, scenes: 4)
    #expect(states(fixture, sessions) == Array(repeating: .foregroundActive, count: 4))
  }

  @Test(
    "F53, R20: with the policy exclusive, an activated scene moves the others to the background")
  func exclusive() {
    let (fixture, clients, sessions) = fixture(.exclusive, scenes: 3)
    #expect(states(fixture, sessions) == [.background, .background, .foregroundActive])
    let control = fixture.control()
    control.ask(RequestActivation(session: sessions[0]))
    for client in clients { client.acknowledgeAll() }
    #expect(states(fixture, sessions) == [.foregroundActive, .background, .background])
  }

  @Test("with a maximum, the least recently activated scene moves to the background")
  func maximum() {
    let (fixture, clients, sessions) = fixture(.atMost(2), scenes: 3)
    #expect(states(fixture, sessions) == [.background, .foregroundActive, .foregroundActive])
    let control = fixture.control()
    // The scene is active, and becomes the most recently activated one.
    control.ask(RequestActivation(session: sessions[1]))
    control.ask(RequestActivation(session: sessions[0]))
    for client in clients { client.acknowledgeAll() }
    #expect(states(fixture, sessions) == [.foregroundActive, .foregroundActive, .background])
  }

  @Test("an interrupted scene keeps its place in the foreground")
  func interrupted() {
    let (fixture, clients, sessions) = fixture(.atMost(2), scenes: 2)
    clients[0].move(sessions[0], .foregroundInactive)
    clients[0].acknowledgeAll()
    let third = fixture.client()
    let newest = third.become("newest")
    for client in clients + [third] { client.acknowledgeAll() }
    #expect(
      states(fixture, sessions + [newest]) == [.background, .foregroundActive, .foregroundActive])
    // One in the background has been active less recently than both.
    let control = fixture.control()
    #expect(
      control.hears(
        SceneTransition(session: sessions[0], to: .foregroundInactive))
        == ["2 background"])
    #expect(clients[0].callbacks.isEmpty)
    #expect(
      states(fixture, sessions + [newest]) == [.background, .foregroundActive, .foregroundActive])
  }

  @Test("F52: a hung scene does not keep another one out of the foreground")
  func hung() {
    let fixture = BrokerFixture(manifest(.exclusive))
    let first = fixture.client()
    let session = first.become("first")
    let second = fixture.client()
    let other = second.become("second")
    second.acknowledgeAll()
    #expect(first.callbacks.map(\.callback.kind) == [.willResignActive])
    #expect(fixture.state(other) == .foregroundActive)
    #expect(fixture.state(session) == .foregroundActive)
  }

  @Test("F7: an external display does not count for the foreground limit")
  func externalDisplay() {
    let fixture = BrokerFixture(manifest(.exclusive))
    let screen = fixture.client()
    let shown = screen.become(
      SceneConnect(name: "screen", role: .windowExternalDisplay, configuration: "Screen"))
    let window = fixture.client()
    let session = window.become("window")
    for client in [screen, window] { client.acknowledgeAll() }
    #expect(fixture.state(shown) == .foregroundInactive)
    #expect(fixture.state(session) == .foregroundActive)
  }

  @Test("a scene that leaves the foreground moves no other scene there")
  func leaving() {
    let (fixture, clients, sessions) = fixture(.exclusive, scenes: 2)
    clients[1].move(sessions[1], .background)
    clients[1].acknowledgeAll()
    #expect(states(fixture, sessions) == [.background, .background])
  }

  @Test("a reload with a lower limit moves the least recently activated scenes")
  func reload() {
    let (fixture, clients, sessions) = fixture(.split, scenes: 3)
    fixture.handle(.manifestRead(.manifest(manifest(.exclusive))))
    for client in clients { client.acknowledgeAll() }
    #expect(states(fixture, sessions) == [.background, .background, .foregroundActive])
  }
}

/// Which scenes leave the background.
final class ReclaimPolicyTests: BrokerSuite {
  private func background(_ names: [String], on fixture: BrokerFixture) -> [(
    Client, SessionIdentifier
  )] {
    names.map { name in
      let client = fixture.client()
      let session = client.become(name, background: true)
      client.acknowledgeAll()
      return (client, session)
    }
  }

  @Test(
    "F51, R17: beyond the limit of the reclaim policy, the scene longest in the background is reclaimed"
  )
  func countTakesOldest() {
    let fixture = BrokerFixture(manifest(count: 1))
    let (a, z) = (fixture.client(), fixture.client())
    let (first, second) = (a.become("a"), z.become("z"))
    for client in [a, z] { client.acknowledgeAll() }
    // No time passes between the two, as with a virtual clock.
    z.move(second, .background)
    z.acknowledgeAll()
    a.move(first, .background)
    for client in [a, z] { client.acknowledgeAll() }
    #expect([first, second].map { fixture.state($0) } == [.background, .unattached])
  }

  @Test(
    "F51: beyond the count, the first scene in the background without an assertion is reclaimed",
    arguments: [0, 1])
  func count(due: Int) {
    let fixture = BrokerFixture(manifest(count: 2))
    var all = background(["a", "b"], on: fixture)
    for (client, session) in all[..<due] {
      client.ask(BeginAssertion(session: session, name: "upload", seconds: 100))
    }
    all += background(["c"], on: fixture)
    for (client, _) in all { client.acknowledgeAll() }
    #expect(all.filter { fixture.state($0.1) == .unattached }.map(\.1) == [all[due].1])
    #expect(fixture.end(all[due].1) == DisconnectOutcome(reason: .reclaimed))
  }

  @Test("F51, R18: a scene at the age of the reclaim policy is reclaimed")
  func age() {
    let fixture = BrokerFixture(manifest(age: .seconds(60)))
    let first = background(["a"], on: fixture)[0]
    fixture.pass(.seconds(30))
    let second = background(["b"], on: fixture)[0]
    fixture.pass(.seconds(29))
    #expect(fixture.state(first.1) == .background)
    fixture.pass(.seconds(1))
    first.0.acknowledgeAll()
    #expect(fixture.state(first.1) == .unattached)
    #expect(fixture.state(second.1) == .background)
    fixture.pass(.seconds(30))
    second.0.acknowledgeAll()
    #expect(fixture.state(second.1) == .unattached)
  }

  @Test("time in the foreground does not count")
  func foreground() {
    let fixture = BrokerFixture(manifest(age: .seconds(60)))
    let (client, session) = background(["a"], on: fixture)[0]
    fixture.pass(.seconds(59))
    client.move(session, .foregroundActive)
    client.acknowledgeAll()
    fixture.pass(.seconds(3600))
    #expect(fixture.state(session) == .foregroundActive)
    client.move(session, .background)
    client.acknowledgeAll()
    fixture.pass(.seconds(59))
    #expect(fixture.state(session) == .background)
    fixture.pass(.seconds(1))
    client.acknowledgeAll()
    #expect(fixture.state(session) == .unattached)
  }

  @Test("R19: an assertion keeps a scene in the background", arguments: [true, false])
  func assertion(ended: Bool) {
    let fixture = BrokerFixture(manifest(age: .seconds(60)))
    let (client, session) = background(["a"], on: fixture)[0]
    #expect(
      client.hears(
        BeginAssertion(session: session, name: "upload", seconds: 100)
      ).last?.hasSuffix("assertion 1") == true)
    fixture.pass(.seconds(99))
    client.acknowledgeAll()
    #expect(fixture.state(session) == .background)
    if ended {
      client.ask(EndAssertion(assertion: 1))
    } else {
      fixture.pass(.seconds(1))
    }
    client.acknowledgeAll()
    #expect(fixture.state(session) == .unattached)
    client.ask(EndAssertion(assertion: 1))
    #expect(client.lastError?.reason == .requestDenied)
  }

  @Test("a request and a memory warning do not reclaim a scene with an assertion")
  func keptByHand() {
    let fixture = BrokerFixture(manifest())
    let (client, session) = background(["a"], on: fixture)[0]
    client.ask(BeginAssertion(session: session, name: "upload", seconds: 100))
    let control = fixture.control()
    #expect(control.hears(Reclaim()) == ["2 reclaimed []"])
    #expect(control.hears(Reclaim(sessions: [session])) == ["3 reclaimed []"])
    control.ask(MemoryWarning())
    client.acknowledgeAll()
    #expect(fixture.state(session) == .background)
  }

  @Test("an assertion with an invalid name or time is refused")
  func wrongAssertions() {
    let (client, session) = background(["a"], on: fixture)[0]
    for (name, seconds) in [("", 1), ("a", -1), ("a", 86_401)] as [(String, Double)] {
      client.ask(
        BeginAssertion(session: session, name: name, seconds: seconds))
      #expect(client.lastError?.reason == .invalidParams)
    }
    for _ in 0..<64 {
      client.ask(BeginAssertion(session: session, name: "a", seconds: 1))
    }
    #expect(fixture.broker.scenes[session]?.assertions.count == 64)
    client.ask(BeginAssertion(session: session, name: "a", seconds: 1))
    #expect(client.lastError?.reason == .tooMany)
    let stranger = fixture.client()
    stranger.ask(BeginAssertion(session: session, name: "a", seconds: 1))
    #expect(stranger.lastError?.reason == .sessionNotHeld)
  }

  @Test("the timers of assertions end with the scene")
  func timers() {
    let (client, session) = background(["a"], on: fixture)[0]
    client.ask(BeginAssertion(session: session, name: "a", seconds: 60))
    #expect(fixture.timers[.assertion(session, 1)] != nil)
    client.close()
    #expect(fixture.timers[.assertion(session, 1)] == nil)
  }

  @Test("F24: a memory warning goes to all clients, and then the background scenes are reclaimed")
  func memoryWarning() {
    let (client, session) = background(["a"], on: fixture)[0]
    let active = fixture.client()
    let other = active.become("b")
    for client in [client, active, control] { client.forget() }
    control.ask(MemoryWarning())
    #expect(client.heard.first == "memoryWarning")
    #expect(active.heard == ["memoryWarning"])
    #expect(control.heard == ["memoryWarning"])
    client.acknowledgeAll()
    #expect(control.heard == ["2 {}"])
    #expect(fixture.state(session) == .unattached)
    #expect(fixture.state(other) == .foregroundActive)
  }

  @Test("F24: a significant time change goes to all clients")
  func timeChange() {
    scene.forget()
    #expect(
      control.hears(SignificantTimeChange()) == ["significantTimeChange", "2 {}"])
    #expect(scene.heard == ["significantTimeChange"])
  }

  @Test("a request without sessions reclaims the scenes that the policy would")
  func byHand() {
    let fixture = BrokerFixture(manifest(age: .seconds(60)))
    _ = background(["a"], on: fixture)
    let control = fixture.control()
    #expect(control.hears(Reclaim(dryRun: true)) == ["2 reclaimed []"])
    fixture.handle(.manifestRead(.manifest(manifest())))
    #expect(control.hears(Reclaim(dryRun: true)).first?.contains("[]") == false)
  }
}
