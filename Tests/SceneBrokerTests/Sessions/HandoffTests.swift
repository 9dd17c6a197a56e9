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
    let end = SceneTransition(session: session, to: .unattached, cause: .handedOff)
    #expect(scene.hears(end) == ["3 invalidParams"])
    control.ask(end)
    scene.acknowledgeAll()
    #expect(scene.heard.contains("didDisconnect S1 clientRequest"))
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
  }
}
