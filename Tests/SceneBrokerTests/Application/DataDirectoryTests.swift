import SceneModel
import Testing

@testable import SceneBroker

/// The directory of a session: the request, and its removal.
final class DataDirectoryTests: BrokerSuite {
  private static func ask(_ session: SessionIdentifier) -> any RequestMessage {
    DataDirectory(session: session)
  }

  @Test("the directory is made on request, and the reply has its path")
  func made() {
    let session = scene.become("packing")
    #expect(scene.hears(Self.ask(session)) == [])
    #expect(fixture.commands == [.makeDirectory(session)])
    fixture.handle(.dataDirectoryMade(session, .path("/data/1")))
    #expect(scene.heard == ["3 directory /data/1"])
  }

  @Test("the reply says why there is no directory")
  func refused() {
    let session = scene.become("packing")
    scene.ask(Self.ask(session))
    fixture.handle(.dataDirectoryMade(session, .refused(.storageFull, "no space")))
    #expect(scene.heard == ["3 storageFull later"])
  }

  @Test("only the holder and controls can request the directory")
  func foreign() {
    let session = fixture.client().become("packing")
    #expect(fixture.client().hears(Self.ask(session)) == ["2 sessionNotHeld"])
    #expect(fixture.control().hears(Self.ask(session)) == [])
    #expect(fixture.commands == [.makeDirectory(session)])
  }

  @Test("the scene of a discarded session can ask for its directory, and the directory is marked")
  func late() {
    let session = scene.become("packing")
    fixture.control().ask(RequestDestruction(sessions: [session]))
    #expect(scene.hears(Self.ask(session)) == [])
    let mark = BrokerCommand.markDirectory(session, after: fixture.broker.recordCount)
    #expect(fixture.commands == [mark, .makeDirectory(session), mark])
  }

  @Test("the directory is removed with the session, not with the scene")
  func goes() {
    let session = scene.become("packing")
    scene.ask(SceneDisconnect(session: session))
    #expect(fixture.commands == [])
    scene.become("packing")
    fixture.control().ask(RequestDestruction(sessions: [session]))
    #expect(fixture.stored(session) == nil)
    let mark = BrokerCommand.markDirectory(session, after: fixture.broker.recordCount)
    #expect(fixture.commands == [mark])
    scene.acknowledgeAll()
    #expect(
      fixture.commands == [
        mark, .removeDirectory(session, after: fixture.broker.recordCount),
      ])
  }
}
