import SceneModel
import Testing

@testable import SceneBroker

/// An activity that crashes its clients is withheld, not lost.
final class CrashLoopTests: BrokerSuite {
  private static func save(_ session: SessionIdentifier, _ line: Int) -> any RequestMessage {
    SaveActivity(session: session, activity: note(line))
  }

  /// A session with an activity, after `count` clients that ended before the target.
  private func loop(_ count: Int, on other: BrokerFixture? = nil) -> SessionIdentifier {
    let first = (other ?? fixture).client()
    let session = first.become("packing")
    first.ask(Self.save(session, 42))
    first.close()
    for _ in 0..<count { endEarly(on: other) }
    return session
  }

  private func endEarly(on other: BrokerFixture? = nil) {
    let client = (other ?? fixture).client()
    client.ask(SceneConnect(name: "packing"))
    client.close()
  }

  @Test("R24: after three attempts that fail before the target, the activity is withheld")
  func fourth() {
    _ = loop(2)
    // An overrun neither counts nor resets the count.
    let hung = fixture.client()
    hung.ask(SceneConnect(name: "packing"))
    fixture.pass(.seconds(20))
    hung.close()
    let third = fixture.client()
    #expect(
      third.hears(SceneConnect(name: "packing")).last
        == "willConnect S1 recover 5 was note{\"n\":42}")
    third.close()
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last
        == "willConnect S1 recover 6 withheld 1 crashLoop")
  }

  @Test("the history names the withheld generation until it is restored")
  func history() {
    let session = loop(3)
    fixture.client().ask(SceneConnect(name: "packing"))
    func withheld() -> Withholding? {
      control.ask(SessionHistory(session: session))
      guard let history = control.lastReply?.content as? SessionHistory.Reply else { return nil }
      return history.withheld
    }
    #expect(withheld() == Withholding(generation: 1, reason: .crashLoop))
    control.ask(RestoreActivity(session: session, generation: 1))
    #expect(withheld() == nil)
  }

  @Test("a scene that reaches its target resets the count")
  func arrived() {
    _ = loop(2)
    let well = fixture.client()
    well.become("packing")
    well.close()
    endEarly()
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last
        == "willConnect S1 recover 6 was note{\"n\":42}")
  }

  @Test("the activity of settings is never withheld")
  func settings() {
    let fixture = BrokerFixture(
      Manifest(roles: [
        RoleConfigurations(
          role: .windowApplication,
          configurations: [SceneConfiguration(name: "Settings", kind: .settings)])
      ]))
    let session = loop(4, on: fixture)
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last
        == "willConnect S1 recover 6")
    #expect(fixture.broker.stored[session]?.withheld == nil)
  }

  @Test("R28: an activity stays withheld until a client saves another one")
  func stays() {
    let session = loop(3)
    scene.become("packing")
    scene.ask(SceneDisconnect(session: session))
    #expect(fixture.stored(session)?.withheld == Withholding(generation: 1, reason: .crashLoop))
    scene.ask(SceneConnect(session: session))
    #expect(scene.heard.last == "willConnect S1 restore 6 withheld 1 crashLoop")
    // A user saves the same bytes on purpose.
    fixture.control().ask(Self.save(session, 42))
    #expect(fixture.stored(session)?.generation == 2)
    #expect(fixture.stored(session)?.withheld == nil)
    #expect(fixture.stored(session)?.hold.earlyEnds == 0)
  }

  @Test("R29: a restored activity is given again, and its attempts count from zero")
  func restored() {
    let session = loop(3)
    endEarly()
    #expect(
      control.hears(RestoreActivity(session: session, generation: 1))
        == ["2 generation 2"])
    for _ in 0..<3 {
      let client = fixture.client()
      let heard = client.hears(SceneConnect(name: "packing")).last
      #expect(heard?.hasSuffix("was note{\"n\":42}") == true)
      client.close()
    }
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last?
        .hasSuffix("withheld 2 crashLoop") == true)
  }

  /// Saves five times, so that the withheld generation is no longer among the newest.
  private func saveBeyond(_ session: SessionIdentifier) {
    let control = fixture.control()
    for line in 43...47 { control.ask(Self.save(session, line)) }
    control.close()
  }

  @Test("R30: the withheld generation stays after later saves")
  func pinned() {
    let session = loop(3)
    endEarly()
    saveBeyond(session)
    #expect(fixture.stored(session)?.generations.map(\.number) == [1, 5, 6])
    #expect(fixture.stored(session)?.withheld == nil)
    let withheld = Withholding(generation: 1, reason: .crashLoop)
    let next = fixture.crashed()
    let control = next.control()
    #expect(next.stored(session).map { SessionSummary($0, scene: nil) }?.withheld == withheld)
    #expect(
      next.client().hears(SceneConnect(name: "packing")).last?
        .hasSuffix("was note{\"n\":47}") == true)
    #expect(
      control.hears(RestoreActivity(session: session, generation: 1))
        == ["2 generation 7"])
    #expect(next.stored(session)?.withheldOrPinned == nil)
    #expect(next.stored(session)?.activity == note(42))
    control.ask(Self.save(session, 48))
    #expect(next.stored(session)?.generations.map(\.number) == [6, 7, 8])
  }

  @Test("of two withheld generations the first is pinned; its restoration pins the other")
  func several() {
    let session = loop(3)
    endEarly()
    saveBeyond(session)
    for _ in 0..<4 { endEarly() }
    #expect(fixture.stored(session)?.withheldOrPinned?.generation == 6)
    fixture.control().ask(RestoreActivity(session: session, generation: 1))
    #expect(fixture.stored(session)?.withheldOrPinned?.generation == 6)
    saveBeyond(session)
    #expect(fixture.stored(session)?.generations.map(\.number) == [6, 11, 12])
    #expect(fixture.stored(session)?.withheldOrPinned == nil)
  }

  @Test("a scene before its target does not clear the withheld activity; another client does")
  func cleared() {
    let session = loop(3)
    scene.become("packing")
    scene.ask(SaveActivity(session: session, activity: nil))
    #expect(fixture.stored(session)?.withheldOrPinned?.generation == 1)
    fixture.control().ask(SaveActivity(session: session, activity: nil))
    #expect(fixture.stored(session)?.withheldOrPinned == nil)
    #expect(fixture.stored(session)?.generation == 2)
  }

  @Test("a pinned generation counts against the limit of stored bytes")
  func limit() {
    let large = note(byteCount: 3000)
    let fixture = BrokerFixture(limits: .with(\.storedBytes, 10_000))
    let first = fixture.client()
    let session = first.become("packing")
    first.ask(SaveActivity(session: session, activity: large))
    first.close()
    for _ in 0..<4 { endEarly(on: fixture) }
    let control = fixture.control()
    for byteCount in [3001, 3002] {
      control.ask(
        SaveActivity(session: session, activity: note(byteCount: byteCount)))
    }
    // The oldest of the others makes room, not the one that was withheld.
    let small = SaveActivity(session: session, activity: note(byteCount: 3500))
    #expect(control.hears(small) == ["4 generation 4"])
    let tooLarge = SaveActivity(session: session, activity: note(byteCount: 4000))
    #expect(control.hears(tooLarge).last?.hasPrefix("5 storageFull") == true)
    #expect(fixture.stored(session)?.generations.map(\.number) == [1, 3, 4])
  }

  @Test(
    "a client that ends its scene itself before the target resets the count",
    arguments: [true, false])
  func leaves(refuses: Bool) {
    let session = loop(2)
    let leaving = fixture.client()
    leaving.ask(SceneConnect(session: session))
    if refuses {
      leaving.acknowledge(.failed(message: "no"))
    } else {
      leaving.ask(SceneDisconnect(session: session))
    }
    endEarly()
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last?
        .hasSuffix("was note{\"n\":42}") == true)
  }

  @Test("R27: the end of the broker is not an attempt")
  func otherEnds() {
    let session = loop(2)
    fixture.client().ask(SceneConnect(session: session))
    let next = fixture.crashed(living: [])
    #expect(next.stored(session)?.hold.earlyEnds == 2)
    #expect(
      next.client().hears(SceneConnect(session: session)).last?
        .hasSuffix("was note{\"n\":42}") == true)
  }

  @Test("a save after a crash loop does not change the order of use")
  func order() {
    let session = loop(3)
    // A request for any session reads the order of use.
    scene.ask(SceneConnect())
    scene.acknowledgeAll()
    scene.ask(SceneDisconnect(session: session))
    fixture.control().ask(Self.save(session, 43))
    #expect(fixture.stored(session)?.withheld == nil)
    #expect(scene.hears(SceneConnect()).last?.hasPrefix("willConnect S1") == true)
  }

  @Test("R25: the attempts of each activity count separately", arguments: [0, 2])
  func newActivity(givenBefore count: Int) {
    let first = fixture.client()
    let session = first.become("packing")
    if count > 0 { first.ask(Self.save(session, 42)) }
    first.close()
    for _ in 0..<(count > 0 ? count : 4) { endEarly() }
    // This client got the earlier activity, or none, so its end does not count against the new one.
    let last = fixture.client()
    last.ask(SceneConnect(name: "packing"))
    fixture.control().ask(Self.save(session, 43))
    last.close()
    let next = fixture.crashed()
    for _ in 0..<3 {
      let client = next.client()
      #expect(
        client.hears(SceneConnect(name: "packing")).last?
          .hasSuffix("was note{\"n\":43}") == true)
      client.close()
    }
    #expect(
      next.client().hears(SceneConnect(name: "packing")).last?
        .hasSuffix("crashLoop") == true)
  }

  @Test("the first activity of a scene before its target has its own attempts")
  func savedOnTheWay() {
    for line in 1...4 {
      let client = fixture.client()
      let heard = client.hears(SceneConnect(name: "packing")).last
      #expect(heard?.hasSuffix("crashLoop") == false)
      if line == 4, let connect = client.callbacks.first?.callback.message as? WillConnect {
        client.ask(Self.save(connect.session, line))
      }
      client.close()
    }
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last?
        .hasSuffix("was note{\"n\":4}") == true)
  }

  @Test("R26: a save before the target continues the count of the activity that the client got")
  func savesOnTheWay() {
    let session = loop(0)
    for line in 1...3 {
      let client = fixture.client()
      client.ask(SceneConnect(session: session))
      client.ask(Self.save(session, line))
      client.close()
    }
    #expect(
      fixture.client().hears(SceneConnect(session: session)).last?
        .hasSuffix("withheld 4 crashLoop") == true)
  }

  @Test("a session without an activity has no crash loop")
  func nothing() {
    let first = fixture.client()
    first.become("packing")
    first.close()
    for _ in 0..<4 { endEarly() }
    #expect(
      fixture.client().hears(SceneConnect(name: "packing")).last
        == "willConnect S1 recover 6")
  }
}

/// Activities that were saved earlier are given back.
final class RestoringTests: BrokerSuite {
  private static func save(_ session: SessionIdentifier, _ line: Int) -> any RequestMessage {
    SaveActivity(session: session, activity: note(line))
  }

  @Test("a restored generation becomes the newest; the newest one makes no other")
  func earlier() {
    let session = scene.become("packing")
    for line in 1...3 { scene.ask(Self.save(session, line)) }
    let oldest = RestoreActivity(session: session, generation: 1)
    #expect(control.hears(oldest) == ["2 generation 4"])
    #expect(fixture.stored(session)?.activity == note(1))
    #expect(
      control.hears(RestoreActivity(session: session, generation: 4))
        == ["3 generation 4"])
  }

  @Test("an error about an unknown generation lists the stored ones")
  func unknown() {
    let session = scene.become("packing")
    let first = RestoreActivity(session: session, generation: 1)
    #expect(scene.hears(first) == ["3 invalidParams"])
    for line in 1...4 { scene.ask(Self.save(session, line)) }
    #expect(scene.hears(first) == ["8 invalidParams"])
    #expect(
      scene.lastError?.message == "generation 1 is not stored: packing has generations 2, 3, 4")
  }

  @Test("a client can restore generations only of sessions that it holds")
  func holder() {
    let session = scene.become("packing")
    scene.ask(Self.save(session, 1))
    #expect(
      fixture.client().hears(RestoreActivity(session: session, generation: 1))
        == ["2 sessionNotHeld"])
  }
}
