import SceneModel
import Testing

@testable import SceneBroker

/// An activity that brings down whoever is given it is withheld, not lost.
struct CrashLoopTests {
  private static func save(_ session: SessionIdentifier, _ line: Int) -> ClientRequest {
    .saveActivity(SaveActivity(session: session, activity: note(line)))
  }

  /// A session with an activity whose clients ended so often without a word before they had arrived.
  private static func loop(_ count: Int, on stage: Stage) -> SessionIdentifier {
    let first = stage.client()
    let session = first.become("packing")
    first.ask(save(session, 42))
    first.close()
    for _ in 0..<count { endEarly(on: stage) }
    return session
  }

  private static func endEarly(on stage: Stage) {
    let client = stage.client()
    client.ask(.connect(SceneConnect(name: "packing")))
    client.close()
  }

  @Test("it is given three times, and withheld the fourth")
  func fourth() {
    let stage = Stage()
    _ = Self.loop(2, on: stage)
    let third = stage.client()
    #expect(
      third.hears(.connect(SceneConnect(name: "packing"))).last
        == "willConnect S1 recover 4 was note{\"n\":42}")
    third.close()
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last
        == "willConnect S1 recover 5 withheld 1 crashLoop")
  }

  @Test("the history says which generation it is, until that is given back")
  func history() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    stage.client().ask(.connect(SceneConnect(name: "packing")))
    let control = stage.control()
    func withheld() -> Withholding? {
      control.ask(.history(SessionHistory(session: session)))
      guard case .history(let history)? = control.lastReply else { return nil }
      return history.withheld
    }
    #expect(withheld() == Withholding(generation: 1, reason: .crashLoop))
    control.ask(.restore(RestoreActivity(session: session, generation: 1)))
    #expect(withheld() == nil)
  }

  @Test("a scene that arrives begins the count anew")
  func arrived() {
    let stage = Stage()
    _ = Self.loop(2, on: stage)
    let well = stage.client()
    well.become("packing")
    well.close()
    Self.endEarly(on: stage)
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last
        == "willConnect S1 recover 6 was note{\"n\":42}")
  }

  @Test("of settings nothing is withheld, as nothing of them is given")
  func settings() {
    let stage = Stage(
      Manifest(roles: [
        RoleConfigurations(
          role: .windowApplication,
          configurations: [SceneConfiguration(name: "Settings", kind: .settings)])
      ]))
    let session = Self.loop(4, on: stage)
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last
        == "willConnect S1 recover 6")
    #expect(stage.broker.stored[session]?.withheld == nil)
  }

  @Test("what is withheld stays so until something is saved, though scenes arrive without it")
  func stays() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    let client = stage.client()
    client.become("packing")
    client.ask(.disconnect(SceneDisconnect(session: session)))
    #expect(stage.stored(session)?.withheld == Withholding(generation: 1, reason: .crashLoop))
    client.ask(.connect(SceneConnect(session: session)))
    #expect(client.heard.last == "willConnect S1 restore 6 withheld 1 crashLoop")
    // The same bytes are saved by somebody who knows what they do.
    stage.control().ask(Self.save(session, 42))
    #expect(stage.stored(session)?.generation == 2)
    #expect(stage.stored(session)?.withheld == nil)
    #expect(stage.stored(session)?.tenure.earlyEnds == 0)
  }

  @Test("what is restored by hand is given again, and has three tries of its own")
  func restored() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    Self.endEarly(on: stage)
    let control = stage.control()
    #expect(
      control.hears(.restore(RestoreActivity(session: session, generation: 1)))
        == ["2 generation 2"])
    for _ in 0..<3 {
      let client = stage.client()
      let heard = client.hears(.connect(SceneConnect(name: "packing"))).last
      #expect(heard?.hasSuffix("was note{\"n\":42}") == true)
      client.close()
    }
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last?
        .hasSuffix("withheld 2 crashLoop") == true)
  }

  /// What a scene that begins afresh saves takes the place of what was withheld.
  private static func saveBeyond(_ session: SessionIdentifier, on stage: Stage) {
    let control = stage.control()
    for line in 43...47 { control.ask(save(session, line)) }
    control.close()
  }

  @Test("what was withheld is kept however much is saved, until it is given back")
  func pinned() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    Self.endEarly(on: stage)
    Self.saveBeyond(session, on: stage)
    #expect(stage.stored(session)?.generations.map(\.number) == [1, 5, 6])
    #expect(stage.stored(session)?.withheld == nil)
    let withheld = Withholding(generation: 1, reason: .crashLoop)
    let next = stage.crashed()
    let control = next.control()
    #expect(next.stored(session).map { SessionSummary($0, scene: nil) }?.withheld == withheld)
    #expect(
      next.client().hears(.connect(SceneConnect(name: "packing"))).last?
        .hasSuffix("was note{\"n\":47}") == true)
    #expect(
      control.hears(.restore(RestoreActivity(session: session, generation: 1)))
        == ["2 generation 7"])
    #expect(next.stored(session)?.unreturned == nil)
    #expect(next.stored(session)?.activity == note(42))
    control.ask(Self.save(session, 48))
    #expect(next.stored(session)?.generations.map(\.number) == [6, 7, 8])
  }

  @Test("of several that were withheld the first is kept; giving it back keeps the other")
  func several() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    Self.endEarly(on: stage)
    Self.saveBeyond(session, on: stage)
    for _ in 0..<4 { Self.endEarly(on: stage) }
    #expect(stage.stored(session)?.unreturned?.generation == 6)
    stage.control().ask(.restore(RestoreActivity(session: session, generation: 1)))
    #expect(stage.stored(session)?.unreturned?.generation == 6)
    Self.saveBeyond(session, on: stage)
    #expect(stage.stored(session)?.generations.map(\.number) == [6, 11, 12])
    #expect(stage.stored(session)?.unreturned == nil)
  }

  @Test("a scene that is nowhere does not let go what it never saw; somebody who clears it does")
  func cleared() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    let client = stage.client()
    client.become("packing")
    client.ask(.saveActivity(SaveActivity(session: session, activity: nil)))
    #expect(stage.stored(session)?.unreturned?.generation == 1)
    stage.control().ask(.saveActivity(SaveActivity(session: session, activity: nil)))
    #expect(stage.stored(session)?.unreturned == nil)
    #expect(stage.stored(session)?.generation == 2)
  }

  @Test("what was withheld counts against the limit of stored bytes as long as it is kept")
  func limit() {
    let large = note(byteCount: 3000)
    var limits = Limits()
    limits.storedBytes = 10_000
    let stage = Stage(limits: limits)
    let first = stage.client()
    let session = first.become("packing")
    first.ask(.saveActivity(SaveActivity(session: session, activity: large)))
    first.close()
    for _ in 0..<4 { Self.endEarly(on: stage) }
    let control = stage.control()
    for byteCount in [3001, 3002] {
      control.ask(
        .saveActivity(SaveActivity(session: session, activity: note(byteCount: byteCount))))
    }
    // The oldest of the others makes room, not the one that was withheld.
    let small = SaveActivity(session: session, activity: note(byteCount: 3500))
    #expect(control.hears(.saveActivity(small)) == ["4 generation 4"])
    let tooLarge = SaveActivity(session: session, activity: note(byteCount: 4000))
    #expect(control.hears(.saveActivity(tooLarge)).last?.hasPrefix("5 storageFull") == true)
    #expect(stage.stored(session)?.generations.map(\.number) == [1, 3, 4])
  }

  @Test(
    "a client that says a word before the arrival begins the count anew", arguments: [true, false])
  func leaves(refuses: Bool) {
    let stage = Stage()
    let session = Self.loop(2, on: stage)
    let leaving = stage.client()
    leaving.ask(.connect(SceneConnect(session: session)))
    if refuses {
      leaving.acknowledge(.failed(message: "no"))
    } else {
      leaving.ask(.disconnect(SceneDisconnect(session: session)))
    }
    Self.endEarly(on: stage)
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last?
        .hasSuffix("was note{\"n\":42}") == true)
  }

  @Test("the broker's own end before the arrival does not count, and begins nothing anew")
  func otherEnds() {
    let stage = Stage()
    let session = Self.loop(2, on: stage)
    stage.client().ask(.connect(SceneConnect(session: session)))
    let next = stage.crashed(living: [])
    #expect(next.stored(session)?.tenure.earlyEnds == 2)
    #expect(
      next.client().hears(.connect(SceneConnect(session: session))).last?
        .hasSuffix("was note{\"n\":42}") == true)
  }

  @Test("what is saved after a crash loop does not change who was used when")
  func order() {
    let stage = Stage()
    let session = Self.loop(3, on: stage)
    // Whoever asks for any session has the order of use gathered.
    let client = stage.client()
    client.ask(.connect(SceneConnect()))
    client.acknowledgeAll()
    client.ask(.disconnect(SceneDisconnect(session: session)))
    stage.control().ask(Self.save(session, 43))
    #expect(stage.stored(session)?.withheld == nil)
    #expect(client.hears(.connect(SceneConnect())).last?.hasPrefix("willConnect S1") == true)
  }

  @Test("an activity that no client was given starts with no attempts", arguments: [0, 2])
  func newActivity(givenBefore count: Int) {
    let stage = Stage()
    let first = stage.client()
    let session = first.become("packing")
    if count > 0 { first.ask(Self.save(session, 42)) }
    first.close()
    for _ in 0..<(count > 0 ? count : 4) { Self.endEarly(on: stage) }
    // This client was given the earlier activity, or none; its end says nothing about the new one.
    let last = stage.client()
    last.ask(.connect(SceneConnect(name: "packing")))
    stage.control().ask(Self.save(session, 43))
    last.close()
    let next = stage.crashed()
    for _ in 0..<3 {
      let client = next.client()
      #expect(
        client.hears(.connect(SceneConnect(name: "packing"))).last?
          .hasSuffix("was note{\"n\":43}") == true)
      client.close()
    }
    #expect(
      next.client().hears(.connect(SceneConnect(name: "packing"))).last?
        .hasSuffix("crashLoop") == true)
  }

  @Test("the first activity of a scene that never arrived has its own attempts")
  func savedOnTheWay() {
    let stage = Stage()
    for line in 1...4 {
      let client = stage.client()
      let heard = client.hears(.connect(SceneConnect(name: "packing"))).last
      #expect(heard?.hasSuffix("crashLoop") == false)
      if line == 4, case .willConnect(let connect)? = client.callbacks.first?.callback {
        client.ask(Self.save(connect.session, line))
      }
      client.close()
    }
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last?
        .hasSuffix("was note{\"n\":4}") == true)
  }

  @Test("a scene that saves on its way, time after time, does not avoid the withholding")
  func savesOnTheWay() {
    let stage = Stage()
    let session = Self.loop(0, on: stage)
    for line in 1...3 {
      let client = stage.client()
      client.ask(.connect(SceneConnect(session: session)))
      client.ask(Self.save(session, line))
      client.close()
    }
    #expect(
      stage.client().hears(.connect(SceneConnect(session: session))).last?
        .hasSuffix("withheld 4 crashLoop") == true)
  }

  @Test("a session with nothing saved has nothing to withhold")
  func nothing() {
    let stage = Stage()
    let first = stage.client()
    first.become("packing")
    first.close()
    for _ in 0..<4 { Self.endEarly(on: stage) }
    #expect(
      stage.client().hears(.connect(SceneConnect(name: "packing"))).last
        == "willConnect S1 recover 6")
  }
}

/// Activities that were saved earlier are given back.
struct RestoringTests {
  private static func save(_ session: SessionIdentifier, _ line: Int) -> ClientRequest {
    .saveActivity(SaveActivity(session: session, activity: note(line)))
  }

  @Test("an earlier one becomes the newest, the newest again makes none")
  func earlier() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    for line in 1...3 { scene.ask(Self.save(session, line)) }
    let control = stage.control()
    let oldest = ClientRequest.restore(RestoreActivity(session: session, generation: 1))
    #expect(control.hears(oldest) == ["2 generation 4"])
    #expect(stage.stored(session)?.activity == note(1))
    #expect(
      control.hears(.restore(RestoreActivity(session: session, generation: 4)))
        == ["3 generation 4"])
  }

  @Test("one that is not kept is refused, and the message says which are")
  func unknown() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    let first = ClientRequest.restore(RestoreActivity(session: session, generation: 1))
    #expect(scene.hears(first) == ["3 invalidParams"])
    for line in 1...4 { scene.ask(Self.save(session, line)) }
    #expect(scene.hears(first) == ["8 invalidParams"])
    #expect(
      scene.lastError?.message == "generation 1 is not stored: packing has generations 2, 3, 4")
  }

  @Test("a client restores what it holds, and nothing else")
  func holder() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    scene.ask(Self.save(session, 1))
    #expect(
      stage.client().hears(.restore(RestoreActivity(session: session, generation: 1)))
        == ["2 sessionNotHeld"])
  }
}
