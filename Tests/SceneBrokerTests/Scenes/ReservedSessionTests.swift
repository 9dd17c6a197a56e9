import SceneModel
import Testing

@testable import SceneBroker

/// Requests about a session whose process has not resumed it since the start of the broker.
final class ReservedSessionTests: ReservedSuite {
  init() { super.init() }

  /// The process resumes the scene in the foreground, and answers its callbacks.
  private func resume() -> Client {
    let client = fixture.client(pid: process.pid)
    client.ask(SceneConnect(session: session, resume: Resume(state: .foregroundActive, hold: 1)))
    client.acknowledgeAll()
    return client
  }

  @Test(
    "a transition waits for the resume",
    arguments: [ActivationState.unattached, .background, .foregroundInactive])
  func transition(target: ActivationState) {
    control.move(session, target)
    #expect(control.heard == [])
    _ = resume()
    #expect(control.heard == ["2 \(target)"])
    #expect(fixture.state(session) == target)
  }

  @Test("a close also follows the end of its own client")
  func withoutRequester() {
    control.move(session, .unattached)
    control.close()
    _ = resume()
    #expect(fixture.state(session) == .unattached)
    #expect(fixture.end(session)?.reason == .clientRequest)
  }

  @Test("a process that does not resume leaves a closed session, and no scene to move")
  func noResume() {
    let other = fixture.control()
    control.move(session, .unattached)
    other.move(session, .background)
    fixture.dying = [process]
    fixture.pass(Broker.livenessPollInterval)
    #expect(control.heard == ["2 unattached"])
    #expect(other.heard == ["2 sessionNotHeld"])
    #expect(fixture.end(session)?.reason == .clientRequest)
  }

  @Test("an activation waits, a release is refused, and a discard ends the session")
  func others() {
    control.ask(RequestActivation(session: session))
    #expect(control.heard == [])
    let other = fixture.control()
    #expect(
      other.hears(SessionRelease(session: session, fence: 1, to: "phone")).last?.contains(
        "sessionInUse") == true)
    #expect(other.hears(RequestDestruction(sessions: [session], now: true)) == ["3 {}"])
    let client = fixture.client(pid: process.pid)
    client.ask(SceneConnect(session: session, resume: Resume(state: .foregroundActive, hold: 1)))
    #expect(client.heard == ["2 sessionNotFound"])
  }

  @Test("content for the only session of a configuration waits for the resume")
  func onlySession() {
    var manifest = fixture.broker.manifest
    manifest.roles[0].configurations[0].kind = .window
    fixture.handle(.manifestRead(.manifest(manifest)))
    #expect(control.hears(RequestActivation(userActivity: note(2))) == [])
    let client = resume()
    #expect(control.heard == ["2 activated S1"])
    #expect(client.heard.contains { $0.hasPrefix("continueUserActivity S1") })
  }

  @Test("the end of the application refuses what waits")
  func ending() {
    control.move(session, .background)
    fixture.terminate()
    #expect(control.heard == ["2 shuttingDown later"])
  }
}
