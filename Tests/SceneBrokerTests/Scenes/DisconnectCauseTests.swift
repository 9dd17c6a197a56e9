import SceneModel
import Testing

@testable import SceneBroker

/// The cause of an end, and the sessions whose user did not close them.
struct DisconnectCauseTests {
  private let fixture = BrokerFixture()

  /// Ends a scene by a request, and then its process.
  private func end(
    _ name: String, exits: Bool = true, _ request: (SessionIdentifier) -> any RequestMessage
  ) {
    let scene = fixture.client()
    let session = scene.become(SceneConnect(name: name))
    scene.ask(request(session))
    scene.acknowledgeAll()
    if exits { fixture.handle(.closed(scene.connection, .connectionLost)) }
  }

  private func names(wasOpen: Bool?) -> [String] {
    let control = fixture.control()
    control.ask(SessionList(wasOpen: wasOpen))
    guard let page = control.lastReply?.content as? SessionList.Reply else { return [] }
    return page.sessions.compactMap(\.name)
  }

  @Test("a session was open if no process has its window and its user did not close the last one")
  func wasOpen() {
    end("closed") { SceneTransition(session: $0, to: .unattached) }
    end("hangup") { SceneTransition(session: $0, to: .unattached, cause: .hangup) }
    end("left") { SceneDisconnect(session: $0) }
    end("terminated") { session in
      var message = SceneDisconnect(session: session)
      message.cause = .terminated
      return message
    }
    let reclaim = { (session: SessionIdentifier) in
      SceneTransition(session: session, to: .unattached, reason: .reclaimed)
    }
    end("reclaimed", reclaim)
    end("waiting", exits: false, reclaim)
    let crashed = fixture.client()
    crashed.become("crashed")
    fixture.handle(.closed(crashed.connection, .connectionLost))
    fixture.client().become("connected")
    #expect(names(wasOpen: true) == ["hangup", "terminated", "reclaimed", "crashed"])
    #expect(names(wasOpen: false) == ["closed", "left", "waiting", "connected"])
    #expect(names(wasOpen: nil).count == 8)
    let ends = fixture.broker.stored.sessions.values.compactMap(\.hold.end?.cause)
    #expect(Set(ends) == [.hangup, .terminated])
  }

  @Test(
    "a program that exits by itself or by Ctrl-C has closed its window; a killed one has not",
    arguments: [
      (ClientExit(status: 3), false), (ClientExit(signal: "INT"), false),
      (ClientExit(signal: "KILL"), true),
    ])
  func exits(exit: ClientExit, wasOpen: Bool) throws {
    // The process can still be ending.
    end("failed", exits: false) { SceneDisconnect(session: $0, exit: exit) }
    #expect(names(wasOpen: true) == (wasOpen ? ["failed"] : []))
    let hold = try #require(fixture.broker.stored.sessions.values.first?.hold)
    #expect(hold.end == DisconnectOutcome(reason: .connectionLost, exit: exit))
    // The client itself has not failed, so this is no step of a crash loop.
    #expect(hold.earlyEnds == 0)
  }

  @Test("a control closes a window that is not open any more, and a scene does not")
  func closeLater() throws {
    let crashed = fixture.client()
    let session = crashed.become("crashed")
    fixture.handle(.closed(crashed.connection, .connectionLost))
    let close = SceneTransition(session: session, to: .unattached)
    fixture.client().ask(close)
    #expect(names(wasOpen: true) == ["crashed"])
    fixture.control().ask(close)
    #expect(names(wasOpen: true) == [])
    #expect(fixture.end(session) == DisconnectOutcome(reason: .clientRequest))
  }

  @Test("the client of a closed terminal can add that its user closed it, unless a scene followed")
  func closedWindow() throws {
    end("closed") { SceneTransition(session: $0, to: .unattached, cause: .hangup) }
    end("reclaimed") {
      SceneTransition(session: $0, to: .unattached, reason: .reclaimed)
    }
    end("terminated") {
      SceneTransition(session: $0, to: .unattached, cause: .terminated)
    }
    // Two scenes, of which the first one's client reports late.
    for _ in 0..<2 {
      end("again") { SceneTransition(session: $0, to: .unattached, cause: .hangup) }
    }
    end("open", exits: false) { SceneTransition(session: $0, to: .background) }
    let client = fixture.client()
    for session in fixture.broker.stored.sessions.values {
      client.ask(
        SceneTransition(
          session: session.attributes.identifier, to: .unattached, cause: .windowClosed, hold: 1)
      )
      #expect(client.lastError == nil)
    }
    #expect(names(wasOpen: true) == ["terminated", "again"])
    let closed = try #require(
      fixture.broker.stored.sessions.values.first { $0.attributes.name == "closed" })
    let expected = DisconnectOutcome(reason: .clientRequest, cause: .windowClosed)
    #expect(fixture.trace.last { $0.event == .reported }?.reason == "windowClosed")
    #expect(closed.hold.end == expected)
    let refused = SceneTransition(
      session: closed.attributes.identifier, to: .background, cause: .windowClosed, hold: 1)
    client.ask(refused)
    #expect(client.lastError?.reason == .invalidParams)
  }

  @Test("a failure of the program has no cause")
  func failureWithCause() {
    let scene = fixture.client()
    var message = SceneDisconnect(session: scene.become("packing"), exit: ClientExit(status: 1))
    message.cause = .hangup
    #expect(scene.hears(message) == ["3 invalidParams"])
  }

  @Test(
    "a client states the causes hangup and terminated, with the reason clientRequest",
    arguments: [
      SceneTransition(session: .none, to: .unattached, cause: .machineStopped),
      SceneTransition(session: .none, to: .unattached, reason: .reclaimed, cause: .hangup),
      SceneTransition(session: .none, to: .background, cause: .hangup),
    ])
  func refused(message: SceneTransition) {
    let scene = fixture.client()
    var message = message
    message.session = scene.become("packing")
    #expect(scene.hears(message) == ["3 invalidParams"])
  }
}
