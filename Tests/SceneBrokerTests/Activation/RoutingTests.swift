import SceneModel
import Testing

@testable import SceneBroker

/// F59: which session something is for, by its activation conditions.
final class RoutingTests: BrokerSuite {
  private func conditions(
    _ session: SessionIdentifier, can: Patch<String> = .absent,
    prefers: Patch<String> = .absent
  ) -> any RequestMessage {
    SceneUpdate(
      session: session,
      activationConditions: .value(
        ActivationConditionTexts(canActivate: can, prefersToActivate: prefers)))
  }

  private func route(_ target: String) -> any RequestMessage {
    ApplicationRoute(targetContentIdentifier: target)
  }

  private func activate(_ target: String, role: Role? = nil) -> any RequestMessage {
    RequestActivation(role: role, options: ActivationOptions(targetContentIdentifier: target))
  }

  @Test("F59: sessions that prefer the target come first, then those that can, by last use")
  func order() {
    let sessions = ["a", "b", "c", "d"].map { scene.become($0, background: true) }
    scene.ask(conditions(sessions[0], prefers: .value("self BEGINSWITH 'note/'")))
    scene.ask(conditions(sessions[2], can: .value("self == 'other'")))
    #expect(
      control.hears(route("note/1")) == ["2 route [S1 prefers can, S4 can, S2 can, S3] S1"])
    #expect(control.hears(route("other")) == ["3 route [S4 can, S3 can, S2 can, S1 can] S4"])
    scene.ask(conditions(sessions[3], can: .value("FALSEPREDICATE")))
    control.ask(RequestActivation(session: sessions[1]))
    #expect(
      control.hears(route("x")) == ["5 route [S2 can, S1 can, S4, S3] S2"])
  }

  @Test("F59: a session that only prefers a target gets that target and no other")
  func prefersAlone() {
    let session = scene.become("a")
    scene.ask(
      conditions(session, can: .value("FALSEPREDICATE"), prefers: .value("self == 'note/1'")))
    #expect(control.hears(route("note/1")) == ["2 route [S1 prefers] S1"])
    #expect(control.hears(route("note/2")) == ["3 route [S1] new"])
  }

  @Test("the active scene counts as the most recently used one")
  func active() {
    let (first, second) = (fixture.client(), fixture.client())
    first.become("a")
    second.become("b", background: true)
    #expect(control.hears(route("x")) == ["2 route [S1 can, S2 can] S1"])
    second.close()
    #expect(control.hears(route("x")) == ["3 route [S1 can, S2 can] S1"])
    first.close()
    #expect(control.hears(route("x")) == ["4 route [S1 can, S2 can] S1"])
  }

  @Test("F59: conditions outlive the client and the broker, and work for a dead client's session")
  func dead() throws {
    let session = scene.become("a")
    scene.ask(conditions(session, prefers: .value("self=='note/1'")))
    scene.close()
    let after = fixture.crashed()
    let stored = try #require(after.stored(session)).attributes.activationConditions
    #expect(stored.prefersToActivate?.description == #"self == "note/1""#)
    let (host, control) = (after.client(hosts: ["*"]), after.control())
    #expect(control.hears(activate("note/1")) == [])
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
    #expect(
      host.heard == [
        "willConnect S1 activation 2", "willEnterForeground S1", "didBecomeActive S1",
      ])
  }

  @Test("an activation goes where its identifier is preferred; without any, to a new session")
  func activation() {
    let (scene, control) = (fixture.client(hosts: ["N"]), fixture.control())
    let session = scene.become("a", background: true)
    let other = scene.become("b")
    scene.ask(conditions(session, prefers: .value("self == 'note/1'")))
    scene.ask(
      conditions(other, can: .value("FALSEPREDICATE"), prefers: .value("self == 'note/2'")))
    control.ask(activate("note/1"))
    scene.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
    // The target of the activity counts like that of the request.
    let note = activity(
      #"{"activityType":"note","userInfo":{},"targetContentIdentifier":"note/2"}"#)
    control.ask(RequestActivation(userActivity: note))
    scene.acknowledgeAll()
    #expect(control.heard == ["3 activated S2"])
    scene.ask(conditions(session, can: .value("FALSEPREDICATE")))
    #expect(control.hears(activate("note/3")) == ["4 noHost later"])
  }

  @Test("only sessions of the role are candidates, and settings never are")
  func roles() {
    let manifest = Manifest(
      supportsMultipleScenes: true,
      roles: [
        RoleConfigurations(
          role: .windowApplication,
          configurations: [
            SceneConfiguration(name: "Note"), SceneConfiguration(name: "S", kind: .settings),
          ]),
        .screen,
      ])
    let fixture = BrokerFixture(manifest)
    let (scene, control) = (fixture.client(), fixture.control())
    scene.become(SceneConnect(name: "screen", role: .windowExternalDisplay))
    scene.become(SceneConnect(name: "settings", configuration: "S"))
    #expect(control.hears(route("x")) == ["2 route [] new"])
    #expect(
      control.hears(activate("x", role: .windowExternalDisplay)) == ["3 activated S1"])
  }

  @Test("null restores the standard condition; an absent member keeps the condition")
  func update() throws {
    let session = scene.become("a")
    func stored() -> ActivationConditions? {
      fixture.stored(session)?.attributes.activationConditions
    }
    scene.ask(conditions(session, can: .value("self=='a'"), prefers: .value("self=='b'")))
    scene.ask(conditions(session, prefers: .null))
    #expect(stored()?.canActivate?.description == #"self == "a""#)
    #expect(stored()?.prefersToActivate == nil)
    let count = fixture.records.count
    scene.ask(conditions(session, can: .value(" SELF = 'a' ")))
    #expect(fixture.records.count == count, "the same, written otherwise, is no change")
    scene.ask(SceneUpdate(session: session, activationConditions: .null))
    #expect(stored() == .standard)
  }

  @Test("an invalid predicate is refused with its position, and changes nothing")
  func invalid() throws {
    let session = scene.become("a")
    let refused = conditions(
      session, can: .value("self == 'a'"), prefers: .value("self == 'b' AND"))
    #expect(scene.hears(refused) == ["3 invalidPredicate"])
    #expect(
      scene.lastError?.message
        == "activationConditions.prefersToActivate: at character 16: "
        + "expected self, TRUEPREDICATE, FALSEPREDICATE, NOT or (, found the end")
    #expect(scene.lastError?.reason.code == 1017)
    #expect(fixture.stored(session)?.attributes.activationConditions == .standard)
  }

  @Test(
    "the limit of a condition applies to its text and to its stored form", arguments: [0, 1])
  func length(past: Int) {
    let fixture = BrokerFixture(limits: .with(\.predicateBytes, 40))
    let scene = fixture.client()
    let session = scene.become("a")
    let expected = [past == 0 ? "3 {}" : "3 tooLarge"]
    let text = "self == \"\(String(repeating: "x", count: 30 + past))\""
    #expect(scene.hears(conditions(session, can: .value(text))) == expected)
    // The text is shorter than the stored form.
    let short = "self=='\(String(repeating: "x", count: 30 + past))'"
    #expect(
      scene.hears(conditions(session, prefers: .value(short)))
        == [past == 0 ? "4 {}" : "4 tooLarge"])
  }

  @Test("a target content identifier has a limit of bytes", arguments: [0, 1])
  func targetLength(past: Int) {
    scene.become("a")
    let target = String(repeating: "x", count: fixture.broker.limits.titleBytes + past)
    let expected = past == 0 ? ["2 route [S1 can] S1"] : ["2 tooLarge"]
    #expect(control.hears(route(target)) == expected)
    #expect(control.hears(activate(target)) == [past == 0 ? "3 activated S1" : "3 tooLarge"])
  }

  @Test("a reply has the best candidates that fit a frame")
  func many() throws {
    let fixture = BrokerFixture(limits: .with(\.frameBytes, 4096))
    let (scene, control) = (fixture.client(), fixture.control())
    for number in 1...40 { scene.become("s\(number)", background: true) }
    control.ask(route("x"))
    let reply = try #require(control.lastReply?.content as? ApplicationRoute.Reply)
    #expect(reply.more)
    #expect(reply.candidates.first?.name == "s40")
    #expect(1..<40 ~= reply.candidates.count)
  }

  @Test("session/show and willConnect have the conditions of a session")
  func shown() throws {
    let session = scene.become("a")
    func shown() -> ActivationConditionTexts? {
      control.ask(SessionShow(session: session))
      guard let details = control.lastReply?.content as? SessionDetails else { return nil }
      return details.sceneSession.activationConditions
    }
    #expect(shown() == nil)
    scene.ask(conditions(session, can: .value("self=='a'")))
    #expect(shown() == ActivationConditionTexts(canActivate: .value(#"self == "a""#)))
    scene.close()
    let again = fixture.client()
    again.ask(SceneConnect(session: session))
    let message = try #require(again.callbacks.first?.callback.message as? WillConnect)
    #expect(message.sceneSession.activationConditions == shown())
  }
}
