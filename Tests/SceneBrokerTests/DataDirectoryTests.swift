import SceneModel
import Testing

@testable import SceneBroker

/// A session's directory, as far as the rules go: who may ask, and when it is to go.
struct DataDirectoryTests {
  private static func ask(_ session: SessionIdentifier) -> ClientRequest {
    .dataDirectory(DataDirectory(session: session))
  }

  @Test("the directory is made on request, and the reply has its path")
  func made() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    #expect(scene.hears(Self.ask(session)) == [])
    #expect(stage.dataDirectories == [.make(session)])
    stage.handle(.dataDirectoryMade(session, .path("/data/1")))
    #expect(scene.heard == ["3 directory /data/1"])
  }

  @Test("why there is none is told")
  func refused() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    scene.ask(Self.ask(session))
    stage.handle(.dataDirectoryMade(session, .refused(.storageFull, "no space")))
    #expect(scene.heard == ["3 storageFull later"])
  }

  @Test("only its holder and controls may ask")
  func foreign() {
    let stage = Stage()
    let session = stage.client().become("packing")
    #expect(stage.client().hears(Self.ask(session)) == ["2 sessionNotHeld"])
    #expect(stage.control().hears(Self.ask(session)) == [])
    #expect(stage.dataDirectories == [.make(session)])
  }

  @Test("it stays when the scene goes, and goes with the session, behind its last callback")
  func goes() {
    let stage = Stage()
    let scene = stage.client()
    let session = scene.become("packing")
    scene.ask(.disconnect(SceneDisconnect(session: session)))
    #expect(stage.dataDirectories == [])
    scene.become("packing")
    stage.control().ask(.destroy(RequestDestruction(sessions: [session])))
    #expect(stage.stored(session) == nil)
    #expect(stage.dataDirectories == [])
    scene.acknowledgeAll()
    #expect(
      stage.dataDirectories == [.remove(session, after: stage.broker.recordCount)])
  }
}
